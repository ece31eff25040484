! A linear damper as a peer, in Fortran: F = -c v on every body. Setting: c (default 10).
!
!   gcc -O2 -x c -DCOSIM_PEER_EXPORT -c cosim_peer.h -o cosim_peer.o
!   gfortran -O2 cosim_peer.f90 damper.f90 cosim_peer.o -o damper_fortran -lzmq
module damping
  use cosim_peer
  implicit none
  real(c_double) :: c = 10.0_c_double

contains

  integer(c_int) function configure(peer, setup) bind(c)
    type(c_ptr), value :: peer, setup
    configure = 0
    c = 10.0_c_double
    if (cosim_number(setup, 'c'//c_null_char, c) == 1 .and. c < 0.0_c_double) &
      configure = cosim_fail(peer, 'the setting c must not be negative'//c_null_char)
  end function

  integer(c_int) function update(peer, at, loads) bind(c)
    type(c_ptr), value :: peer
    type(cosim_instant), intent(in) :: at
    type(cosim_loads), intent(in) :: loads
    real(c_double), pointer :: state(:, :), load(:, :)
    update = 0
    if (.not. c_associated(peer)) return
    ! C arrays (bodies, 18) are Fortran arrays (18, bodies)
    call c_f_pointer(at%state, state, [18, int(at%n_bodies)])
    call c_f_pointer(loads%load, load, [6, int(at%n_bodies)])
    load = -c*state(13:18, :)
  end function

end module

program main
  use damping
  implicit none
  type(cosim_peer_t) :: peer
  character(kind=c_char, len=*), parameter :: text = 'damper in Fortran'//c_null_char
  character(kind=c_char, len=len(text)), target :: name
  integer(c_int) :: code
  name = text
  peer%name = c_loc(name)
  peer%configure = c_funloc(configure)
  peer%update = c_funloc(update)
  code = serve(peer)
  if (code /= 0) stop code
end program
