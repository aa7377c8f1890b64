# A feed of entries, newest first.
package News::Feed;

use strict;
use warnings;
use parent 'News::Base';
use constant LIMIT => 50;
use constant {
    NEW  => 1,
    READ => 2,
};
use List::Util qw(first sum);
use Scalar::Util qw(blessed);
use Encode ('encode', 'decode');
use JSON::PP 2.0;

our $VERSION = '1.04';
our @ISA     = ('Exporter', 'News::Store');
my %formats  = (atom => 'xml', json => 'js');
my ($host, $port) = ('localhost', 80);

Readonly my $TIMEOUT => 30;

# How an entry is written, by format.
my $writer = sub {
    my ($entry) = @_;
    return encode_json($entry);
};

=head2 new

Makes an empty feed.

=cut
sub new {
    my ($class, %args) = @_;
    my $self = $class->SUPER::new(%args);
    $self->{entries} = [];
    return bless $self, $class;
}

# Adds an entry; the oldest goes when there are too many.
sub add($self, $entry, $keep = LIMIT) {
    unshift @{ $self->{entries} }, $entry;
    trim_to($self, $keep);
    News::Log->info('added');
    &notify($entry);
}

sub entries : lvalue { $_[0]{entries} }

*items = sub { shift->entries };

1;

package News::Entry {
    require Time::Piece;
    require 'news/clock.pl';
    do "./news/settings.pl";

    sub age {
        my $self = shift;
        return time - $self->{at};
    }
}

class News::Point 1.0 :isa(News::Shape) {
    field $x :param = 0;

    method move($by) {
        $x += $by;
        return $self;
    }
}

__END__

=head1 AUTHOR

The desk.
