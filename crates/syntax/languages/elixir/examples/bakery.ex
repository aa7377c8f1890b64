defmodule Bakery.Oven do
  @moduledoc """
  Bakes what is put into it.
  """

  use GenServer
  import Bakery.Units, only: [celsius: 1]
  alias Bakery.{Bread, Cake}
  alias Bakery.Flour.Mill, as: Grinder
  alias Bakery.Yeast, warn: false
  alias __MODULE__.Door
  require Logger

  @behaviour Bakery.Appliance

  # How hot it may become.
  @hottest 300
  @coldest 20
  @step 5
  @shelves 4
  @door :front

  @typedoc "A state of the oven."
  @type state :: %{heat: integer, items: [Bread.t()]}

  @typep heat :: integer

  defstruct heat: 20, items: []

  @doc "Called when something is done."
  @callback done(state) :: :ok | {:error, term}

  @doc """
  Starts an oven.

  Takes the options of a server.
  """
  @spec start_link(keyword) :: GenServer.on_start()
  def start_link(opts \\ []) do
    GenServer.start_link(__MODULE__, opts, name: __MODULE__)
  end

  @doc false
  def hottest, do: @hottest

  @impl true
  def init(opts), do: {:ok, %__MODULE__{heat: Keyword.get(opts, :heat, @coldest)}}

  # Warm ovens bake at once, cold ones later.
  def bake(%{heat: heat} = oven, item) when heat > 100 do
    oven
    |> put(item)
    |> Bread.rise()
    |> log
  end

  def bake(oven, item) when is_list(item), do: Enum.map(item, &bake(oven, &1))

  def bake(oven, item) do
    with {:ok, warm} <- warm_up(oven) do
      bake(warm, item)
    end
  end

  defp put(oven, item), do: %{oven | items: [item | oven.items]}

  def a ~> b, do: a.heat == b.heat

  defguard is_warm(heat) when heat > 40
  defdelegate cool(oven), to: Bakery.Fridge

  @doc ~S"Bakes in a block."
  defmacro baking(oven, do: block) do
    quote do
      prepare(unquote(oven))
      unquote(block)
    end
  end
end

defprotocol Bakery.Edible do
  @moduledoc "What can be eaten."
  def taste(item)
end

defimpl Bakery.Edible, for: Bakery.Cake do
  def taste(%Cake{sweet: true}), do: sweetness(:high)
  def taste(_), do: :plain
end

defmodule Bakery.Order do
  use Ecto.Schema

  schema "orders" do
    field :count, :integer
    belongs_to :customer, Bakery.Customer
  end
end
