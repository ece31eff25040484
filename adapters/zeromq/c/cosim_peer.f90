! Interfaces of cosim_peer.h for Fortran 2003 (iso_c_binding); see damper.f90.
module cosim_peer
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: cosim_evaluate = 0, cosim_advance = 1

  ! The members of the C struct of the same name, in the same order.
  type, bind(c) :: cosim_peer_t
    type(c_ptr) :: name = c_null_ptr
    integer(c_int) :: mode = cosim_evaluate
    integer(c_int) :: n_states = 0, history = 0, restorable = 0, statics = 0, event = 0
    integer(c_int) :: added_mass = 0
    real(c_double) :: max_step = 0.0_c_double, inner_step = 0.0_c_double
    integer(c_int) :: n_bodies = 0
    type(c_ptr) :: bodies = c_null_ptr
    integer(c_int) :: n_points = 0
    type(c_ptr) :: points = c_null_ptr
    integer(c_int) :: n_channels = 0
    type(c_ptr) :: channels = c_null_ptr
    integer(c_int) :: n_outputs = 0
    type(c_ptr) :: outputs = c_null_ptr
    integer(c_int) :: n_about = 0
    type(c_ptr) :: about = c_null_ptr
    type(c_ptr) :: apparent_mass = c_null_ptr
    integer(c_size_t) :: state_bytes = 0
    type(c_ptr) :: user = c_null_ptr
    type(c_funptr) :: configure = c_null_funptr, static_loads = c_null_funptr
    type(c_funptr) :: initialize = c_null_funptr, update = c_null_funptr
    type(c_funptr) :: accept = c_null_funptr, advance = c_null_funptr
    type(c_funptr) :: save_state = c_null_funptr, restore_state = c_null_funptr
    type(c_funptr) :: end = c_null_funptr
    character(kind=c_char) :: error(512) = c_null_char
  end type

  type, bind(c) :: cosim_instant
    real(c_double) :: t
    integer(c_int) :: n_bodies, n_points, n_channels, n_states
    type(c_ptr) :: state, points, channels, x
  end type

  type, bind(c) :: cosim_loads
    type(c_ptr) :: load, point_load, mass, x_dot, event, outputs, x0, x_scale
  end type

  interface
    integer(c_int) function cosim_run(peer, argc, argv) bind(c)
      import
      type(cosim_peer_t), intent(inout) :: peer
      integer(c_int), value :: argc
      type(c_ptr), intent(in) :: argv(*)
    end function

    integer(c_int) function cosim_number(setup, key, value) bind(c)
      import
      type(c_ptr), value :: setup
      character(kind=c_char), intent(in) :: key(*)
      real(c_double), intent(inout) :: value
    end function

    integer(c_int) function cosim_fail(peer, sentence) bind(c)
      import
      type(c_ptr), value :: peer
      character(kind=c_char), intent(in) :: sentence(*)
    end function

    integer(c_size_t) function cosim_peer_size() bind(c)
      import
    end function
  end interface

contains

  ! Serve a peer with the arguments of the command line; returns the exit code.
  integer(c_int) function serve(peer)
    type(cosim_peer_t), intent(inout) :: peer
    integer, parameter :: longest = 1024
    character(kind=c_char, len=longest), allocatable, target :: words(:)
    type(c_ptr), allocatable :: pointers(:)
    integer :: n, length
    if (c_sizeof(peer) /= cosim_peer_size()) error stop 'cosim_peer.f90 and .h do not fit'
    allocate (words(0:command_argument_count()), pointers(0:command_argument_count() + 1))
    pointers = c_null_ptr
    do n = 0, command_argument_count()
      call get_command_argument(n, words(n), length)
      if (length >= longest) error stop 'an argument is too long'
      words(n)(length + 1:length + 1) = c_null_char
      pointers(n) = c_loc(words(n))
    end do
    serve = cosim_run(peer, int(command_argument_count() + 1, c_int), pointers)
  end function

end module
