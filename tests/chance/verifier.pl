#!/usr/bin/perl
# The dice of an export checked in a third language: written from docs/dice.md by somebody who had not seen `verify`,
# `dice.mjs` or `live/dice.py`, but had read the tests' liars. Perl's own modules only.
#
#   perl verifier.pl [--hashes] FILE      a report as JSON; exit 1 where something does not hold
#
# With --hashes the chain of entries is checked too (docs/dice.md, An export).
use strict;
use warnings;
use bytes;
use Digest::SHA qw(sha256 sha256_hex hmac_sha256);
use Time::Local qw(timegm);

# --- JSON, as bytes: names and texts stay the UTF-8 that they are ----------------------------------------------------

my %ESCAPE = (b => "\b", f => "\f", n => "\n", r => "\r", t => "\t", '"' => '"', '\\' => '\\', '/' => '/');
my ($TRUE, $FALSE) = map { bless \(my $is = $_), 'Truth' } 1, 0;

sub utf8_of {
    my $c = shift;
    return chr $c if $c < 0x80;
    return pack 'C2', 0xC0 | $c >> 6, 0x80 | $c & 63 if $c < 0x800;
    return pack 'C3', 0xE0 | $c >> 12, 0x80 | $c >> 6 & 63, 0x80 | $c & 63 if $c < 0x10000;
    return pack 'C4', 0xF0 | $c >> 18, 0x80 | $c >> 12 & 63, 0x80 | $c >> 6 & 63, 0x80 | $c & 63;
}

sub text_of {
    my $raw = shift;
    return $raw if index($raw, '\\') < 0;
    $raw =~ s{\\u(d[89ab]..)\\u(d[c-f]..)|\\u(....)|\\(.)}{
        defined $1 ? utf8_of(0x10000 + ((hex($1) & 0x3FF) << 10) + (hex($2) & 0x3FF))
        : defined $3 ? utf8_of(hex $3) : $ESCAPE{$4}
    }gie;
    return $raw;
}

sub value {    # the JSON value at the position of $_
    if (/\G\s*\{\s*/gc) {
        my %object;
        until (/\G\s*\}/gc) {
            /\G\s*,?\s*"((?:[^"\\]|\\.)*)"\s*:/gc or die 'a name is expected';
            my $name = text_of($1);
            $object{$name} = value();
        }
        return \%object;
    }
    if (/\G\s*\[/gc) {
        my @list;
        until (/\G\s*\]/gc) { /\G\s*,/gc; push @list, value() }
        return \@list;
    }
    return \text_of($1) if /\G\s*"((?:[^"\\]|\\.)*)"/gc;    # a reference, so that "1" is not 1
    return $1 + 0 if /\G\s*(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/gc;
    return $1 eq 'true' ? $TRUE : $1 eq 'false' ? $FALSE : undef if /\G\s*(true|false|null)/gc;
    die 'no JSON: ' . substr $_, pos // 0, 40;
}

sub plain {    # texts as texts, for everything that is not hashed as an entry
    my $json = shift;
    my $kind = ref $json;
    return $$json if $kind eq 'SCALAR' or $kind eq 'Truth';
    return [map { plain($_) } @$json] if $kind eq 'ARRAY';
    return {map { $_ => plain($json->{$_}) } keys %$json} if $kind eq 'HASH';
    return $json;
}

sub quoted {
    my $text = shift;
    my %short = ("\b" => 'b', "\f" => 'f', "\n" => 'n', "\r" => 'r', "\t" => 't', '"' => '"', '\\' => '\\');
    $text =~ s/(["\\\x00-\x1f])/defined $short{$1} ? "\\$short{$1}" : sprintf '\\u%04x', ord $1/ge;
    return "\"$text\"";
}

sub canonical {    # the order of code points is that of the bytes of UTF-8
    my $json = shift;
    my $kind = ref $json;
    return quoted($$json) if $kind eq 'SCALAR';
    return $$json ? 'true' : 'false' if $kind eq 'Truth';
    return '[' . join(',', map { canonical($_) } @$json) . ']' if $kind eq 'ARRAY';
    return '{' . join(',', map { quoted($_) . ':' . canonical($json->{$_}) } sort keys %$json) . '}' if $kind eq 'HASH';
    return defined $json ? $json : 'null';
}

# --- Bytes, chains, rolls --------------------------------------------------------------------------------------------

sub number { pack 'Q>', shift }
sub message { join '', map { pack('N', length) . $_ } @_ }

sub link_before { my ($table, $epoch, $at, $link) = @_; sha256(message('passline/dice/2/link', $table, number($epoch), number($at), $link)) }

sub value_before {
    my ($table, $person, $hand, $at, $value) = @_;
    return sha256(message('passline/dice/2/hand', $table, $person, number($hand), number($at), $value));
}

sub dice_of {
    my ($link, $table, $epoch, $roll, %values) = @_;
    my @fields = map { $_, $values{$_} } sort keys %values;
    for (my $block = 0; ; $block++) {
        my $text = message('passline/dice/2/roll', $table, number($epoch), number($roll), number($block), number(@fields / 2), @fields);
        for my $byte (unpack 'C*', hmac_sha256($text, $link)) {
            next if $byte >= 252;
            my $t = $byte % 36;
            return (int($t / 6) + 1, $t % 6 + 1);
        }
    }
}

# --- A table -----------------------------------------------------------------------------------------------------------

my (%tables, @faults, %count, %silent, %unlisted, %voids, @rolls);
my %BETWEEN = map { $_ => 1 } qw(value_received value_shown refused floor_heard table_taken table_counted signer_named
    table_stopped table_restored rolled roll_voided bets_closed);

my %MOVES = map { $_ => 1 } qw(acted floor_acted rolled roll_voided corrected table_restored chips_returned);

my %AFTERWARDS = (
    table_stopped => {map { $_ => 1 } qw(chain_shown chips_returned floor_heard refused)},
    table_closed => {},
);

sub seconds {
    my ($y, $mo, $d, $h, $mi, $s, $part) = shift =~ /^(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+)(\.\d+)?Z$/ or die 'a time is expected';
    return timegm($s > 59 ? 59 : $s, $mi, $h, $d, $mo - 1, $y) + ($part || 0);
}

sub same { my ($one, $other) = @_; join(' ', map { "$$_{person} $$_{hand} $$_{index}" } @$one) eq join ' ', map { "$$_{person} $$_{hand} $$_{index}" } @$other }

sub fault {
    my ($entry, $row, $why) = @_;
    push @faults, {sequence => $$entry{sequence}, table => $$entry{table}, what => "$row: $why"};
}

sub opened {
    my ($entry) = @_;
    my $body = $$entry{body};
    fault($entry, 'one_voice', 'the dice of a table for the house\'s money are said by whoever plays') if $$body{wallets} and $$body{dice} eq 'given';
    my $raw = $$entry{raw};    # in which "2" is not 2
    my ($protocol, $revision) = map { exists $$raw{$_} ? $$raw{$_} // 'null' : '' } qw(protocol revision);
    fault($entry, 'protocol', "there is no protocol $protocol, revision $revision") unless "$protocol/$revision" =~ m{^(?:/|2/2)$};
    return {
        stream => $$body{stream}, drawn => $$body{dice} eq 'fair' && ($$body{protocol} || 1) == 2,
        read_by_two => $$body{wallets} && $$body{dice} eq 'real',
        base => 0, last => 0, current => 1, chains => {}, hands => {}, owners => {}, wagers => {}, owed => {},
        cap => {closings => 0, nothing => []}, caps => {}, had_up => [], rolled_up => [],
    };
}

sub wagers_after {
    my ($table, $entry) = @_;
    my %wagers = %{$$table{wagers}};
    for my $posting (@{$$entry{body}{postings} || []}) {
        my ($from, $to, $amount) = @$posting;
        $wagers{$1} -= $amount if $from =~ m{^(?:felt|tokens_up)/(\d+)/};
        $wagers{$1} += $amount if $to =~ m{^(?:felt|tokens_up)/(\d+)/};
    }
    return \%wagers;
}

sub seats_up {    # the seats that have a wager up after an entry
    my $after = wagers_after(@_);
    return grep { $$after{$_} > 0 } keys %$after;
}

sub people_up {    # whoever has a wager up at a seat of theirs
    my ($table) = @_;
    return map { $_ => 1 } map { $$table{owners}{$_} // () } grep { $$table{wagers}{$_} > 0 } keys %{$$table{wagers}};
}

sub came_to_nothing {
    my ($table, $entry, $may_stop, @people) = @_;
    for my $cap ($$table{cap}, map { $$table{caps}{$_} } @people) {
        my $since = grep { $_ > $$cap{closings} - 100 } @{$$cap{nothing}};
        push @{$$cap{nothing}}, $$cap{closings};
        next if $since < 2;
        if   ($may_stop) { $$table{pending} ||= 'void_cap' }
        else             { fault($entry, 'void_cap', 'a third closing of the last hundred came to nothing') }
    }
}

sub leads_back {    # whether a value hashes to the last one known of its hand
    my ($table, $each, $hand) = @_;
    my $value = pack 'H*', $$each{value};
    my $at = $$each{index};
    return 0 if length($value) != 32 or !$hand or $at <= $$hand{known};
    my $down = $value;
    $down = value_before($$table{stream}, $$each{person}, $$each{hand}, $at--, $down) while $at > $$hand{known};
    return $down eq $$hand{value};
}

sub over {    # a closing is rolled or void: links and values are checked and known
    my ($table, $entry) = @_;
    my $body = $$entry{body};
    my $closing = $$table{closing};
    if (!$closing or $$closing{epoch} != $$body{epoch} or $$closing{roll} != $$body{roll}) {
        fault($entry, 'between', 'no closing of this roll is open');
        return;
    }
    my @in = grep { $$closing{in}{$$_{person}} } @{$$closing{hands}};
    my @hands = @{$$body{hands} || []};
    fault($entry, 'value', 'the hands are not those that are in') unless same(\@hands, \@in);
    my $chain = $$table{chains}{$$body{epoch}};
    my %values;
    for my $each (@hands) {
        my $hand = $$table{hands}{$$each{person}};
        if ($hand and $$hand{number} == $$each{hand} and leads_back($table, $each, $hand)) {
            @$hand{qw(known value)} = ($$each{index}, pack 'H*', $$each{value});
        } else {
            fault($entry, 'value', "the value of $$each{person} is not of its hand");
        }
        $values{$$each{person}} = pack 'H*', $$each{value};
    }
    for my $each (@{$$closing{hands}}) {
        my $hand = $$table{hands}{$$each{person}};
        $$hand{on} = 0 if $hand and $$each{index} >= 1000;
    }
    my $link;
    if (defined $$body{link}) {
        $link = pack 'H*', $$body{link};
        my $down = $link;
        if ($chain) {
            $down = link_before($$table{stream}, $$body{epoch}, $_, $down) for reverse $$chain{known} + 1 .. $$body{roll};
        }
        fault($entry, 'link', 'it is not of the chain') unless $chain and length($link) == 32 and $down eq $$chain{link};
        @$chain{qw(known link)} = ($$body{roll}, $link) if $chain;
    }
    if ($$body{roll} == 1000) {
        $$chain{open} = 0;
        $$table{current}++ if $$table{current} == $$body{epoch};
    }
    delete $$table{closing};
    return ($closing, $link, \%values, \@in);
}

my %SEE = (
    acted => \&acted, floor_acted => \&acted,
    chain_committed => sub {
        my ($t, $e, $b) = @_;
        fault($e, 'number', "epoch $$b{epoch} follows $$t{last}") if $$b{epoch} != $$t{last} + 1;
        my $chains = $$t{chains};
        my $begins = !$$t{has_acted} && $$b{epoch} > $$t{base} && $$b{epoch} <= $$t{base} + 2
            && !grep { $$chains{$_}{open} && $_ <= $$t{base} } keys %$chains;
        my $now = $$chains{$$t{current}};
        my $goes_on = $$b{epoch} == $$t{current} + 1 && $now && $$now{open} && !$$now{spent};
        fault($e, 'late_anchor', "the chain of epoch $$b{epoch} is committed to too late") unless $begins or $goes_on;
        $$t{last} = $$b{epoch};
        $$chains{$$b{epoch}} = {open => 1, spent => 0, known => 0, link => pack 'H*', $$b{anchor}};
        $$t{current} = $$t{base} + 1 if $begins;
    },
    chain_shown => sub {
        my ($t, $e, $b) = @_;
        my $chain = $$t{chains}{$$b{epoch}};
        $$t{ended} = 1 if $$b{epoch} > $$t{base};
        return fault($e, 'number', "the chain of epoch $$b{epoch} is not open") unless $chain and $$chain{open};
        my $down = pack 'H*', $$b{link};
        $down = link_before($$t{stream}, $$b{epoch}, $_, $down) for reverse $$chain{known} + 1 .. 1000;
        fault($e, 'link', 'the end of the chain does not lead to what was shown of it') if $down ne $$chain{link};
        $$chain{open} = 0;
    },
    hand_on => sub {
        my ($t, $e, $b) = @_;
        fault($e, 'not_on', 'it is in the name of somebody else') if $$b{person} ne $$e{actor};
        my $hand = $$t{hands}{$$b{person}};
        fault($e, 'number', "hand $$b{hand} is not the next") if $$b{hand} != ($hand ? $$hand{number} : 0) + 1;
        fault($e, 'forged_off', 'the last hand is on') if $hand and $$hand{on};
        $$t{hands}{$$b{person}} = {number => $$b{hand}, on => 1, index => 0, known => 0, value => pack('H*', $$b{anchor}), off => $$b{off}};
    },
    hand_off => sub {
        my ($t, $e, $b) = @_;
        my $hand = $$t{hands}{$$b{person}};
        return fault($e, 'number', 'no such hand is on') unless $hand and $$hand{on} and $$hand{number} == $$b{hand};
        my $off = sha256_hex(message('passline/dice/2/off', $$t{stream}, $$b{person}, number($$b{hand}), pack 'H*', $$b{value}));
        fault($e, 'forged_off', 'its owner did not take it off') if $off ne $$hand{off};
        $$hand{on} = 0;
    },
    bets_closed => sub {
        my ($t, $e, $b) = @_;
        fault($e, 'between', 'a closing is open') if $$t{closing};
        my $now = $$t{chains}{$$t{current}};
        fault($e, 'early_end', "epoch $$t{current} is not over") if $$b{epoch} != $$t{current} and $now and $$now{open};
        for my $epoch ($$b{epoch}, $$b{epoch} + 1) {
            fault($e, 'late_anchor', "there is no chain of epoch $epoch") unless $$t{chains}{$epoch} and $$t{chains}{$epoch}{open};
        }
        my $chain = $$t{chains}{$$b{epoch}} ||= {open => 0, spent => 0, known => 0, link => ''};
        fault($e, 'number', "roll $$b{roll} is not the next") if $$b{roll} != $$chain{spent} + 1 or $$b{roll} > 1000;
        my %up = people_up($t);
        my @due = map { {person => $_, hand => $$t{hands}{$_}{number}, index => $$t{hands}{$_}{index} + 1} }
            grep { $$t{hands}{$_}{on} && $up{$_} } sort keys %{$$t{hands}};
        my @listed = @{$$b{hands}};
        my %listed = map { ("$$_{person} $$_{hand} $$_{index}" => 1) } @listed;
        fault($e, 'left_out', 'a hand is not listed as it is due') if grep { !$listed{"$$_{person} $$_{hand} $$_{index}"} } @due;
        my %due = map { ("$$_{person} $$_{hand} $$_{index}" => 1) } @due;
        my @places = map { $$_{person} } @listed;
        my $in_order = !grep { $places[$_ - 1] ge $places[$_] } 1 .. $#places;
        fault($e, 'not_on', 'something else is listed, twice or out of order') if !$in_order or grep { !$due{"$$_{person} $$_{hand} $$_{index}"} } @listed;
        $$chain{spent} = $$b{roll};
        for my $each (@listed) {
            my $hand = $$t{hands}{$$each{person}};
            $$hand{index} = $$each{index} if $hand;
        }
        my %people = map { ($$_{person} => 1) } @listed;
        $unlisted{$_}++ for grep { !$people{$_} } keys %up;
        $$t{had_up} = [sort keys %up];
        for my $cap ($$t{cap}, map { $$t{caps}{$_} ||= {closings => 0, nothing => []} } @{$$t{had_up}}) { $$cap{closings}++ }
        $$t{closing} = {epoch => $$b{epoch}, roll => $$b{roll}, hash => $$e{hash}, hands => \@listed, in => {}, at => seconds($$e{time})};
    },
    value_received => sub {
        my ($t, $e, $b) = @_;
        my $closing = $$t{closing};
        my ($due) = $closing ? grep { $$_{person} eq $$b{person} && $$_{hand} == $$b{hand} && $$_{index} == $$b{index} } @{$$closing{hands}} : ();
        if (!$due or $$b{closing} ne $$closing{hash} or $$closing{in}{$$b{person}}) { fault($e, 'value', "nothing is awaited from $$b{person}") }
        else { $$closing{in}{$$b{person}} = 1 }
    },
    rolled => sub {
        my ($t, $e, $b) = @_;
        $count{rolls}++;
        my ($closing, $link, $values, $in) = over($t, $e) or return;
        fault($e, 'value', 'not every value is in') if @$in != @{$$closing{hands}};
        return fault($e, 'link', 'there is none') unless defined $link;
        my @dice = dice_of($link, $$t{stream}, $$b{epoch}, $$b{roll}, %$values);
        fault($e, 'dice', "they are @dice") if "@dice" ne "@{$$b{dice}}";
        $count{house_alone}++ unless @{$$closing{hands}};
        push @rolls, [@dice];
        push @{$$t{rolled_up}}, $$t{had_up};
    },
    roll_voided => sub {
        my ($t, $e, $b) = @_;
        fault($e, 'void_by_crew', 'the crew voids no announced roll') if @{$$b{people} || []};
        my ($closing, $link, $values, $in) = over($t, $e) or return;
        my @silent = @{$$b{silent} || []};
        my @out = grep { !$$closing{in}{$$_{person}} } @{$$closing{hands}};
        fault($e, 'value', 'the silent are not those whose values are not in') if @silent and !same(\@silent, \@out);
        my $waited = seconds($$e{time}) - $$closing{at};
        if (@silent) {
            fault($e, 'void_early', "$waited s are fewer than 20") if $waited < 20;
        } else {
            $$t{pending} = 'void_early' if seats_up($t, $e) or $$b{returned};
        }
        fault($e, 'void_early', 'stakes went back') if $$b{returned};
        my %theirs = map { ($$_{person} => 1) } @silent;
        fault($e, 'void_early', 'a wager of the silent is still up') if grep { $theirs{$$t{owners}{$_} // ''} } seats_up($t, $e);
        $$t{pending} = 'link' unless defined $link;
        for my $each (@silent) {
            my $hand = $$t{hands}{$$each{person}};
            $$hand{on} = 0 if $hand and $$hand{number} == $$each{hand};
            $silent{$$each{person}}++;
            $$t{owed}{"$$each{person} $$each{hand} $$each{index}"} = {at => $$e{sequence}, hand => $hand};
        }
        my $void = $voids{$$e{sequence}} = {
            link => $link, values => $values, missing => scalar @out, epoch => $$b{epoch}, roll => $$b{roll}, stream => $$t{stream},
        };
        known($void);
        came_to_nothing($t, $e, !@silent || $waited >= 600, @{$$t{had_up}});
    },
    value_shown => sub {
        my ($t, $e, $b) = @_;
        my $owed = delete $$t{owed}{"$$b{person} $$b{hand} $$b{index}"} or return fault($e, 'value', 'it is owed to no void roll');
        return fault($e, 'value', 'it is not of its hand') unless leads_back($t, $b, $$owed{hand});
        my $void = $voids{$$owed{at}};
        $$void{values}{$$b{person}} = pack 'H*', $$b{value};
        $$void{missing}--;
        known($void);
    },
    table_restored => sub {
        my ($t, $e, $b) = @_;
        fault($e, 'number', "epoch $$t{last} is the last") if $$b{epoch} != $$t{last};
        fault($e, 'number', 'the head is not the entry before') if "@{$$b{head}}" ne join ' ', $$e{sequence} - 1, $$e{previous};
        fault($e, 'void_early', 'wagers are still up') if seats_up($t, $e);
        $$t{base} = $$t{last};
        $$t{has_acted} = 0;
        $$_{on} = 0 for values %{$$t{hands}};
        $count{restores}++;
        $count{undone_closings}++ if delete $$t{closing};
        came_to_nothing($t, $e, 1, sort keys %{$$t{caps}});
    },
    table_stopped => sub {
        my ($t, $e, $b) = @_;
        $$t{stopped} = 1;
        $$t{over} = 'table_stopped';
        $count{stops}++;
        if (delete $$t{closing}) {
            fault($e, 'void_early', 'a closing is open');
            $count{undone_closings}++;
        }
    },
    table_closed => sub {
        my ($t, $e, $b) = @_;
        $$t{over} = 'table_closed';
        fault($e, 'early_end', 'a chain was not shown') if grep { $$_{open} } values %{$$t{chains}};
    },
);

sub known {
    my $void = shift;
    return if $$void{missing} or !defined $$void{link};
    $$void{dice} = join '-', dice_of(@$void{qw(link stream epoch roll)}, %{$$void{values}});
}

sub acted {
    my ($t, $e, $b) = @_;
    fault($e, 'late_anchor', 'somebody acts before two chains are committed to') if $$t{last} < $$t{base} + 2;
    $$t{has_acted} = 1;
    my $command = $$b{command};
    if (ref $command eq 'HASH' and ($$command{kind} || '') eq 'command.sit') {
        my $owner = $$t{owners}{$$command{seat}} // $$e{actor};
        fault($e, 'seat_given', "$owner has a wager up there") if $owner ne $$e{actor} and ($$t{wagers}{$$command{seat}} || 0) > 0;
        my $sits = $$t{seated}{$$command{seat}} // $$e{actor};
        fault($e, 'seat_given', "$sits sits there") if $sits ne $$e{actor};
        $$t{owners}{$$command{seat}} = $$t{seated}{$$command{seat}} = $$e{actor};
    } elsif (ref $command eq 'HASH' and defined $$command{seat} and $$e{kind} eq 'acted' and ($$e{role} || '') eq 'player') {
        my $owner = $$t{owners}{$$command{seat}} // $$e{actor};
        fault($e, 'seat_given', "the seat is that of $owner") if $owner ne $$e{actor};
    }
}

sub struck {
    my ($t, $e, $b) = @_;
    for my $event (@{$$b{events} || []}) {
        delete $$t{seated}{$$event{seat}} if ($$event{kind} || '') eq 'event.player_left';
    }
    for my $event (@{$$b{events} || []}) {    # each strikes out the last roll that has dice and was not struck out before
        next if ($$event{kind} || '') ne 'event.outcome_struck_out';
        came_to_nothing($t, $e, 0, @{pop(@{$$t{rolled_up}}) || $$t{had_up}});
    }
}

sub see {
    my ($entry) = @_;
    my ($kind, $body) = @$entry{qw(kind body)};
    $tables{$$entry{table}} ||= opened($entry) if $kind eq 'table_opened';
    my $table = $tables{$$entry{table}} or return;
    if ($kind eq 'rolled' and $$table{read_by_two} and !$$body{readings}) { fault($entry, 'one_voice', 'nobody read the dice beside the one who says so') }
    return unless $$table{drawn};
    fault($entry, 'after_end', "$kind stands after $$table{over}") if $$table{over} and !$AFTERWARDS{$$table{over}}{$kind};
    if ($$table{closing} and !$BETWEEN{$kind} and !($kind eq 'floor_acted' and !@{$$body{events} || []})) {
        fault($entry, 'between', "$kind stands between closing and roll");
    }
    fault($entry, 'early_end', 'a chain was shown to its end') if $$table{ended} and !$$table{stopped} and $kind ne 'chain_shown' and $kind ne 'table_closed';
    my $pending = delete $$table{pending};
    fault($entry, $pending, 'the table does not stop') if $pending and $kind ne 'table_stopped';
    $$table{at} = $entry;
    $SEE{$kind}->($table, $entry, $body) if $SEE{$kind};
    fault($entry, 'postings', "chips move in $kind") if @{$$body{postings} || []} and !$MOVES{$kind};
    $$table{wagers} = wagers_after($table, $entry);
    struck($table, $entry, $body);
}

# --- An export -----------------------------------------------------------------------------------------------------------

my $hashes = @ARGV && $ARGV[0] eq '--hashes' && shift @ARGV;
my %previous;
while (<>) {
    chomp;
    next unless /\S/;
    pos = 0;
    my $raw = value();
    my $entry = plain($raw);
    next unless ref $entry eq 'HASH' and defined $$entry{sequence} and defined $$entry{kind};
    if ($hashes) {
        my ($before, $at) = @{$previous{$$entry{table}} || ['0' x 64, 0]};
        fault($entry, 'sequence', 'it is not the next') if $$entry{sequence} != $at + 1;
        fault($entry, 'previous', 'it is not that of the entry before') if $$entry{previous} ne $before;
        delete $$raw{hash};
        fault($entry, 'hash', 'the entry does not hash to it') if sha256_hex("passline/entry/1\n" . canonical($raw)) ne $$entry{hash};
        $previous{$$entry{table}} = [@$entry{qw(hash sequence)}];
    }
    $$entry{raw} = $$raw{body};
    see($entry);
}
for (values %tables) { fault($$_{at}, $$_{pending}, 'the table does not stop') if $$_{pending} }
$count{open_closings} = grep { $$_{closing} } values %tables;
$count{$_} ||= 0 for qw(rolls house_alone restores stops undone_closings);

sub whole { my $counts = shift; '{' . join(',', map { quoted($_) . ":$$counts{$_}" } sort keys %$counts) . '}' }
print '{"counts":', whole(\%count), ',"silent":', whole(\%silent), ',"unlisted":', whole(\%unlisted);
print ',"voids":{', join(',', map { "\"$_\":" . (defined $voids{$_}{dice} ? "\"$voids{$_}{dice}\"" : 'null') } sort { $a <=> $b } keys %voids), '}';
print ',"rolls":[', join(',', map { "[$$_[0],$$_[1]]" } @rolls), ']';
print ',"faults":[', join(',', map { "{\"sequence\":$$_{sequence},\"what\":" . quoted($$_{what}) . '}' } @faults), "]}\n";
exit(@faults ? 1 : 0);
