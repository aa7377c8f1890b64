/// Songs in the order they are played.
library playlist;

import 'dart:async';
import 'dart:io' hide File;
import 'package:meta/meta.dart' show immutable;
import 'package:path/path.dart' as paths;
import 'src/cover_stub.dart' if (dart.library.io) 'src/cover_io.dart';
import 'src/lyrics.dart' deferred as lyrics show Lyrics;

export 'src/player.dart';
export 'src/tags.dart' show Tag, Tagged;
export 'src/formats.dart' hide Raw;

part 'playlist.g.dart';

const maxSongs = 500;
const maxTitle = 80;
const maxArtists = 12;
const defaultVolume = 0.5;

/// Where songs are looked for.
final Directory library = Directory(env['MUSIC'] ?? '.');

late Clock _clock;

typedef Matcher = bool Function(Song song);

/// One song.
@immutable
@JsonSerializable(explicitToJson: true)
class Song extends Media<Audio> with Tagged, Rated implements Comparable<Song> {
  final String title;
  static const none = Song._('');

  const Song._(this.title);

  /// Makes a song that has a title.
  Song(String title, {required this.length})
      : assert(title != ''),
        super(title);

  Song.silence(Duration length) : this('silence', length: length);

  factory Song.fromJson(Map<String, dynamic> json) => _$SongFromJson(json);

  factory Song.cached(String title) = CachedSong;

  // Shorter songs come first.
  @override
  int compareTo(Song other) => length.compareTo(other.length);

  /// The name to show.
  @protected
  String get label => '$title (${length.inMinutes})';

  set volume(double value) {
    _player?.setVolume(value);
  }

  Song operator +(Song other) {
    return Medley<Song>([this, other]).build();
  }

  static Future<List<Song>> load(String path) async {
    final stream = new Reader(path).open();
    await for (final line in stream) {
      bool wanted(String text) {
        return text.isNotEmpty;
      }
      yieldTo(line, wanted);
    }
    return Cache()
      ..clear()
      ..add(none);
  }
}

abstract class Player {
  Stream<Song> get playing;

  /// Starts a song.
  @mustCallSuper
  Future<void> play(Song song);

  external void beep();
}

base mixin Shuffle on Player implements Mode {
  void shuffle() {}
}

extension Titles on List<Song> {
  Iterable<String> get titles => map((song) => song.title);
}

extension on Duration {
  String short() => '$inSeconds s';
}

extension type SongId(int value) {
  bool get known => value > 0;
}

enum Mode with Named {
  once,
  again('repeat');

  const Mode([this.label]);

  bool get loops => this == again;
}

class Radio = Player with Shuffle;

@pragma('vm:entry-point')
Future<void> main(List<String> args) async {
  final songs = await Song.load(args.first);
  songs.where((s) => s.length > Duration.zero).forEach(print);
}

int get songCount => 0;
