import 'package:test/test.dart';

void main() {
  setUp(() => clock = Fake());

  // Titles are all that is compared here.
  group('a song', () {
    test('has a title', () {
      expect(Song('a').title, equals('a'));
    });
  });
}

void broken( {
