%% @doc Keeps the stock of a shop.
-module(stock).
-behaviour(gen_server).

-export([start_link/0, take/2, init/1]).
-export_type([item/0]).

-include("stock.hrl").
-include_lib("kernel/include/logger.hrl").
-import(lists, [map/2, sum/1]).

-define(LIMIT, 100).
-define(SHELVES, 8).
-define(SERVER, ?MODULE).
-define(TOTAL(Items), lists:sum(Items)).

%% What the server remembers.
-record(state, {
    items = [] :: [item()],
    open = true :: boolean()
}).

-type item() :: {atom(), pos_integer()}.
-opaque basket(Item) :: [Item].

-callback taken(item()) -> ok | {error, term()}.
-optional_callbacks([taken/1]).

%% Starts the server.
-spec start_link() -> {ok, pid()}.
start_link() ->
    gen_server:start_link({local, ?SERVER}, ?MODULE, [], []).

-doc "Takes items out of the stock.".
-spec take(atom(), integer()) -> result().
take(_Name, 0) ->
    ok;
%% Too many at once are refused.
take(Name, N) when N > ?LIMIT ->
    refuse(Name, length([N]));
take(Name, N) ->
    case find(Name) of
        {ok, Item} -> call(#state{items = [Item]}, N);
        error -> {error, describe(Name)}
    end.

-doc "Reads the state.".
init(_) ->
    Items = load(file),
    Sizes = [size_of(I) || I <- filter(Items)],
    {ok, #state{items = lists:map(fun double/1, Sizes)}}.

double(X) -> X * 2.

total(Items) ->
    ?TOTAL(map(fun lists:last/1, Items)).

-ifdef(TEST).
double_test() ->
    ?assertEqual(4, double(2)).
-endif.
