# The shop as a service of this machine.
{ config, lib, pkgs, ... }:

let
  cfg = config.services.shop;
  port = 8080;
  user = "shop";
  home = "/var/lib/${user}";
  inherit (lib) mkIf mkOption types;

  /* Turns settings into lines of `key=value`.
     Used for the environment file. */
  toLines = settings:
    lib.concatStringsSep "\n"
      (lib.mapAttrsToList (name: value: "${name}=${toString value}") settings);

  server = pkgs.callPackage ./server.nix {
    inherit (pkgs) openssl;
    tests = false;
  };
in
{
  imports = [ ./database.nix ];

  options.services.shop = {
    enable = lib.mkEnableOption "the shop";
    limit = mkOption {
      type = types.int;
      default = 10;
    };
  };

  # Only where the shop is wanted.
  config = mkIf cfg.enable {
    users.users.${user} = {
      isSystemUser = true;
      home = home;
    };
    systemd.services.shop = {
      wantedBy = [ "multi-user.target" ];
      script = ''
        exec ${server}/bin/shop --port ${toString port}
      '';
    };
  };
}
