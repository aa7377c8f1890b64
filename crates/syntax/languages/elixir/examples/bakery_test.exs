defmodule Bakery.OvenTest do
  use ExUnit.Case, async: true

  alias Bakery.Oven

  setup do
    {:ok, oven: start_supervised!(Oven)}
  end

  @tag :slow
  test "bakes bread", %{oven: oven} do
    assert Oven.bake(oven, bread()) == :ok
  end

  describe "a cold oven" do
    test "warms up first" do
      refute Oven.hottest() < 100
    end
  end

  property "never burns" do
    check all heat <- integer() do
      assert celsius(heat) < Oven.hottest()
    end
  end

  defp bread, do: %Bakery.Bread{}

end

Enum.each([1, 2], fn heat ->
