part of 'playlist.dart';

/// Plays songs in any order.
class Shuffle extends Order {
  @override
  Song next(List<Song> songs) => songs[random.nextInt(songs.length)];
}
