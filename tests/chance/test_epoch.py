"""An epoch from its commitment to its seed shown: who may do what, and when."""

from __future__ import annotations

from functools import reduce
from hashlib import sha256

import pytest

from passline.errors import ChanceError
from passline.live.dice import (
    ROLLS_MAX,
    Epoch,
    bar,
    commit_player,
    commitment,
    end,
    freeze,
    mix,
    player_commitment,
    reveal_player,
    roll,
    spend,
)

SEED = sha256(b"house").digest()
SEEDS = {name: sha256(name.encode()).digest() for name in ("Ann", "Bob")}


def opened() -> Epoch:
    """An epoch the house is committed to."""
    return Epoch("baize", 3, commitment("baize", 3, SEED))


def promised(epoch: Epoch, player: str) -> Epoch:
    """One more player is committed."""
    return commit_player(epoch, player, player_commitment("baize", 3, player, epoch.house, SEEDS[player]))


def shown(epoch: Epoch, player: str) -> Epoch:
    """One more player shows the seed."""
    return reveal_player(epoch, player, SEEDS[player])


def both() -> Epoch:
    """Ann and Bob are committed."""
    return reduce(promised, SEEDS, opened())


def test_an_epoch_goes_from_commitment_to_seed() -> None:
    """Two players, two rolls, the end."""
    frozen = freeze(reduce(shown, SEEDS, both()))
    assert frozen.mix == mix("baize", 3, frozen.house, SEEDS)
    assert frozen.next_roll == 1
    over = end(spend(spend(frozen)), SEED)
    assert (over.rolls, over.seed, over.next_roll) == (2, SEED, None)


def test_the_order_in_which_seeds_are_shown_does_not_matter() -> None:
    """The last one to show cannot choose the place of a seed in the mix."""
    ann_first = freeze(shown(shown(both(), "Ann"), "Bob"))
    bob_first = freeze(shown(shown(both(), "Bob"), "Ann"))
    assert ann_first.mix == bob_first.mix


def test_every_seed_counts() -> None:
    """Whoever gave a seed changed the dice."""
    alone = freeze(shown(promised(opened(), "Ann"), "Ann"))
    together = freeze(reduce(shown, SEEDS, both()))
    nobody = freeze(opened())
    assert len({alone.mix, together.mix, nobody.mix}) == 3
    dice = {tuple(roll(SEED, "baize", 3, number, epoch.mix) for number in range(20)) for epoch in (alone, together)}
    assert len(dice) == 2


def test_nobody_gives_a_seed() -> None:
    """The epoch is dealt, and its mix says that there was none."""
    epoch = freeze(opened())
    assert epoch.mix == mix("baize", 3, epoch.house, {})
    assert epoch.next_roll == 1


def test_a_late_seed_counts_in_the_next_epoch() -> None:
    """The first seed shown ends the time for commitments, and the refusal says where to go."""
    epoch = shown(promised(opened(), "Ann"), "Ann")
    assert not epoch.takes_commitments
    with pytest.raises(ChanceError, match="commit one to epoch 4"):
        promised(epoch, "Bob")
    with pytest.raises(ChanceError, match="commit one to epoch 4"):
        promised(freeze(opened()), "Bob")


def test_a_promised_seed_that_is_not_shown_ends_the_epoch() -> None:
    """Nothing is dealt; the house shows its seed; who owed one gives none any more."""
    epoch = shown(both(), "Ann")
    assert epoch.missing == ("Bob",)
    with pytest.raises(ChanceError, match="Bob must show a seed"):
        freeze(epoch)
    over = end(epoch, SEED)
    assert over.rolls == 0
    with pytest.raises(ChanceError, match="no roll to deal"):
        spend(over)
    following = bar(promised(opened(), "Bob"), over.missing)
    assert not following.commitments
    with pytest.raises(ChanceError, match="Bob did not show"):
        promised(following, "Bob")
    assert freeze(following).mix


def test_players_are_barred_before_seeds_are_shown() -> None:
    """Striking a commitment later would choose between two mixes."""
    with pytest.raises(ChanceError, match="barred before that"):
        bar(shown(both(), "Ann"), ["Bob"])


@pytest.mark.parametrize("wrong", [sha256(b"Bob").digest(), bytes(32)])
def test_only_the_promised_seed_is_taken(wrong: bytes) -> None:
    """Not another one, not even another player's."""
    with pytest.raises(ChanceError, match="not the seed Ann is committed to"):
        reveal_player(both(), "Ann", wrong)


def test_another_players_commitment_is_worth_nothing() -> None:
    """Whoever copies it cannot show the seed for it."""
    epoch = promised(opened(), "Ann")
    epoch = commit_player(epoch, "Eve", epoch.commitments["Ann"])
    with pytest.raises(ChanceError, match="not the seed Eve is committed to"):
        reveal_player(epoch, "Eve", SEEDS["Ann"])


def test_nobody_promises_twice_or_shows_twice_or_shows_unasked() -> None:
    """One seed a player."""
    with pytest.raises(ChanceError, match="Ann is committed"):
        promised(both(), "Ann")
    with pytest.raises(ChanceError, match="Ann has shown"):
        shown(shown(both(), "Ann"), "Ann")
    with pytest.raises(ChanceError, match="Bob is not committed"):
        shown(promised(opened(), "Ann"), "Bob")
    with pytest.raises(ChanceError, match="mixed"):
        shown(freeze(opened()), "Ann")


def test_no_roll_before_the_mix_and_none_after_the_seed() -> None:
    """A roll that could be known, or could still be steered, is not dealt."""
    with pytest.raises(ChanceError, match="no roll to deal"):
        spend(opened())
    with pytest.raises(ChanceError, match="no roll to deal"):
        spend(end(freeze(opened()), SEED))
    with pytest.raises(ChanceError, match="is frozen"):
        freeze(freeze(opened()))


def test_an_epoch_has_an_end() -> None:
    """After a thousand rolls there is no next one."""
    epoch = freeze(opened())
    for number in range(1, ROLLS_MAX + 1):
        assert epoch.next_roll == number
        epoch = spend(epoch)
    assert epoch.next_roll is None
    with pytest.raises(ChanceError, match="no roll to deal"):
        spend(epoch)


def test_the_house_shows_the_seed_it_is_committed_to() -> None:
    """Once, and no other."""
    with pytest.raises(ChanceError, match="not the seed the house is committed to"):
        end(freeze(opened()), bytes(32))
    with pytest.raises(ChanceError, match="has been shown"):
        end(end(opened(), SEED), SEED)


def test_a_seed_is_good_for_its_table_and_epoch_only() -> None:
    """Its commitment elsewhere is another."""
    assert len({commitment("baize", 3, SEED), commitment("baize", 4, SEED), commitment("felt", 3, SEED)}) == 3
