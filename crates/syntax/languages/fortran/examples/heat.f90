#define GHOST 1
#define CLAMP(x) max(x, 0.0)

! Heat in a plate, one step after the other.
module heat
  use iso_fortran_env, only: real64, wp => real64
  use, intrinsic :: iso_c_binding
  implicit none
  private
  include 'limits.inc'

  !! How many cells a plate may have.
  integer, parameter :: max_cells = 4096, min_cells = 4
  real(wp), parameter :: copper = 1.11e-4_wp
  real(wp), parameter :: iron = 2.3e-5_wp
  real(wp), parameter :: glass = 3.4e-7_wp
  real(wp), save :: elapsed
  integer :: sizes(3)

  ! What can be stepped through time.
  type, abstract :: body
  end type body

  !! A flat piece of metal.
  type, extends(body), public :: plate
    real(wp), allocatable :: cells(:, :)
    type(c_ptr) :: handle
  contains
    procedure :: advance => plate_advance
    procedure, pass :: mean
    final :: release
  end type plate

  interface operator(+)
    module procedure join
  end interface

  interface
    function cpu_seconds() bind(c)
      real(8) :: cpu_seconds
    end function cpu_seconds
  end interface

contains

  ! The mean temperature.
  pure real(wp) function mean(self) result(value)
    class(plate), intent(in) :: self
    value = sum(self%cells) / size(self%cells)
  end function mean

  subroutine plate_advance( &
      self, &
      step)
    class(plate), intent(inout) :: self
    real(wp), intent(in) :: step
    call exchange(self)
    call self%relax(step)
    elapsed = elapsed + step
  contains
    subroutine exchange(other)
      type(plate), intent(inout) :: other
    end subroutine exchange
  end subroutine plate_advance

end module heat

submodule (heat) heat_files
contains
  ! Reads a plate from a file.
  module procedure load
    open(newunit=unit, file=path)
  end procedure load
end submodule heat_files

program simulate
  use heat
  implicit none
  type(plate) :: copper_plate
  call copper_plate%advance(0.1d0)
  print *, copper_plate%mean()
end program simulate
