"""The page in a real Chromium, as people have it before them.

What the first visitors found, and what holds each of their findings now (without a file: in `test_finger.py`):

1. Dice that nobody has: `test_dice_that_nobody_has_are_taken_by_a_button`, `test_whoever_is_alone_is_not_offered_…`.
2. A tap on a number: `test_a_tap_on_a_number_is_the_place_bet`, `test_a_put_is_asked_for_by_name_…`.
3. The box by keyboard: `test_every_spot_is_reached_by_tab_and_arrows`, `test_a_hand_played_blind`.
4. Space: `test_space_presses_what_has_the_focus_and_throws_only_where_nothing_has`.
5. Names: `test_everybody_has_a_name_before_anybody_sees_it`.
6. Whoever watches: `test_around.py::test_a_spectator_…`; no word twice: `tests/web/test_page.py`.
7. A phone: `test_what_is_played_with_is_in_sight_at_once`, `test_all_of_the_rail_is_on_the_screen`,
   `test_the_box_and_what_is_told_end_above_the_rail`, `test_around.py::test_a_lesson_is_one_screen_…`.
8. A chip one does not have: `test_a_chip_one_does_not_have_is_dim_and_all_in_is_asked`.
9. Leaving: `test_leaving_with_chips_up_is_asked_once_and_ends_with_a_card`.
10. What an idle phone downloads: `tests/web/test_pages.py`.
11. The lab's first answer: `test_lab.py::test_two_on_the_same_dice_…`, on a house that has compiled nothing.
12. German is gone; 13. phones on this network: `test_around.py::test_phones_on_this_network_…`.
14. A silent line: `test_everyone.py::test_a_line_that_falls_silent_is_noticed`.
15. The box, by task: `test_box.py`; the rail that stays: `test_the_rail_stays_where_it_is_…`; a hand that is shared:
    `test_around.py::test_a_record_is_played_again_…`; chips, dice and sound: `test_dice_fall_on_the_felt_…`,
    `test_dealers_take_before_they_pay_…`, `test_sound_is_found_…`, `test_a_line_bet_that_won_goes_up_again_…`.
"""
