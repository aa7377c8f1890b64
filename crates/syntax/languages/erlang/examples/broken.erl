-module(broken).

%% This one is whole.
area({circle, R}) -> 3 * R * R;
area({square, S}) -> S * S.

%% The rest was lost.
volume({cube, S}) ->
    S * (area({square, S}
