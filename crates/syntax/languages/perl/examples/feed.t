#!/usr/bin/env perl
use strict;
use Test::More 0.98 tests => 2;
use Test::Warn;
use News::Feed;

my $feed = News::Feed->new(name => 'test');

# The newest comes first.
subtest 'keeps the order' => sub {
    $feed->add({ title => 'a' });
    is scalar @{ $feed->entries }, 1, 'one entry';
    like $feed->first->{title}, qr/^a$/;
};

sub helper {
    my ($text) = @_;
    $text =~ s/\s+/ /g;
    return <<"END" . $text;
sub not_a_sub {
END
}

done_testing();
