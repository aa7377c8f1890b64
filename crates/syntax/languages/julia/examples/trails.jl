"""
Paths through hills, and how long they take.
"""
module Trails

using LinearAlgebra, Statistics
using Base.Iterators: take, drop as skip
import Base: show, +
import Dates
import ..Maps.Tiles as Tiles

export Trail, walk

# Metres per second.
const PACE = 1.3
const STEEPEST = 0.4
const FLATTEST = 0.01
const NAMES = ["north", "south"]
const Heights = Vector{Float64}

cache = Dict{String,Float64}()

abstract type Path end
primitive type Mark 8 end

"""
    Trail(points)

A path with its heights.
"""
struct Trail{T<:Real} <: Path
    points::Vector{T}
    name::String

    Trail(points) = new{eltype(points)}(points, "")
    function Trail{T}(points, name) where {T}
        check(points)
        new{T}(points, name)
    end
end

mutable struct Walker
    speed::Float64
end

@kwdef struct Options
    rests::Int = 0
end

"""
    walk(trail)

How long a walk takes, in seconds.
"""
function walk(trail::Trail{T}, walker = Walker(PACE); rests...)::Float64 where {T}
    total = 0.0
    for (a, b) in zip(trail.points, rest(trail.points))
        total += step(a, b) / walker.speed
    end
    map(trail.points) do p
        @debug "point" p
    end
    return Base.max(total, sqrt(total))
end

# Going up takes longer.
step(a, b) = b > a ? climb(b - a) : abs(a - b)
climb(x::T) where {T<:Real} = x .* factor.(x)

function Base.show(
    io::IO,
    trail::Trail,
)
    print(io, "Trail ", trail.name)
end

Base.:+(a::Trail, b::Trail) = Trail(vcat(a.points, b.points))
(w::Walker)(trail) = walk(trail, w)

function rest end

@inline function check(points)
    isempty(points) && throw(ArgumentError("no points"))
end

@inline half(x) = x / 2

#= Repeats a walk. =#
macro twice(ex)
    quote
        $(esc(ex))
        $(esc(ex))
    end
end

include("maps.jl")
include(joinpath(@__DIR__, "signs.jl"))

end

@testset "walking" begin
    @test walk(Trail([1, 2])) > 0
end
