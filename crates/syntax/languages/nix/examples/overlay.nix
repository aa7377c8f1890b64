# Our own versions of a few packages.
final: prev: {
  hello = prev.hello;
  jq = final.callPackage ./jq.nix { };
  nodejs = prev.nodejs_20;
  version = "1.2";

  # Builds a package again with more flags.
  withFlags = {
    package,
    flags ? [ ],
  }:
    package.overrideAttrs (old: rec {
      configureFlags = old.configureFlags ++ flags;
    });

  twice = f: x: f (f x);

  "shop-tools" = final.stdenv.mkDerivation rec {
    pname = "shop-tools";
    inherit (final) version;
    src = ./tools;
    buildInputs = with final; [ jq nodejs ];
  };
}
