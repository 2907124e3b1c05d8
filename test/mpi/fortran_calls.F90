! SPDX-License-Identifier: GPL-2.0-or-later
!
! What the program `calls` does, for calls of every kind, through mpif.h (USE_MPIF_H), `use mpi` (USE_MPI) or `use mpi_f08`.
#if defined USE_MPIF_H
#define CALLS calls_through_mpif_h
#elif defined USE_MPI
#define CALLS calls_through_mpi
#else
#define CALLS calls_through_mpi_f08
#endif
#if defined USE_MPIF_H || defined USE_MPI
#define COMMUNICATOR integer
#define REQUEST integer
#define WINDOW integer
#define STATUS_VARIABLE integer :: status(MPI_STATUS_SIZE)
#define SENDER status(MPI_SOURCE)
#else
#define COMMUNICATOR type(MPI_Comm)
#define REQUEST type(MPI_Request)
#define WINDOW type(MPI_Win)
#define STATUS_VARIABLE type(MPI_Status) :: status
#define SENDER status%MPI_SOURCE
#endif
module CALLS
#if defined USE_MPIF_H
  implicit none
  include 'mpif.h'
#elif defined USE_MPI
  use mpi
  implicit none
#else
  use mpi_f08
  implicit none
#endif
  integer, parameter :: tag = 7
  integer :: error, rank, ranks, milliseconds
  logical :: late

contains

  subroutine read_arguments()
    character(len=32) :: text
    integer :: problem
    call get_command_argument(1, text)
    read (text, *, iostat=problem) milliseconds
    if (command_argument_count() == 1 .and. problem == 0 .and. ranks > 1) return
    if (late) write (0, '(a)') 'usage: fortran_calls milliseconds; two ranks or more'
    call MPI_FINALIZE(error)
    stop 2
  end subroutine

  ! Of CPU time: whoever polls in vain on the same CPU makes it longer.
  subroutine compute()
    double precision :: start, now
    call cpu_time(start)
    do
      call cpu_time(now)
      if (now - start > milliseconds / 1d3) return
    end do
  end subroutine

  subroutine try(name, wait)
    character(len=*), intent(in) :: name
    interface
      subroutine wait()
      end subroutine
    end interface
    double precision :: cpu, now, start, mine(2), total(2)
    call MPI_BARRIER(MPI_COMM_WORLD, error)
    call cpu_time(cpu)
    start = MPI_WTIME()
    if (late) call compute()
    call wait()
    call cpu_time(now)
    mine = 0
    if (.not. late) mine = [now - cpu, MPI_WTIME() - start]
    call MPI_REDUCE(mine, total, 2, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
    total = total / (ranks - 1)
    if (late) print '(3a,f0.4,a,f0.4)', 'calls ', name, ' cpu=', total(1), ' wall=', total(2)
  end subroutine

  subroutine expect(right, call)
    logical, intent(in) :: right
    character(len=*), intent(in) :: call
    if (right) return
    write (0, '(a,i0,2a)') 'rank ', rank, ': wrong result of ', call
    call MPI_ABORT(MPI_COMM_WORLD, 1, error)
  end subroutine

  subroutine send_to_all()
    integer :: to
    do to = 1, ranks - 1
      call MPI_SEND(to, 1, MPI_INTEGER, to, tag, MPI_COMM_WORLD, error)
    end do
  end subroutine

  subroutine recv()
    STATUS_VARIABLE
    integer :: value
    if (late) then
      call send_to_all()
    else
      call MPI_RECV(value, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, status, error)
      call expect(value == rank, 'MPI_RECV')
    end if
  end subroutine

  subroutine recv_from_any()
    STATUS_VARIABLE
    integer :: value
    if (late) then
      call send_to_all()
    else
      call MPI_RECV(value, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, status, error)
      call expect(value == rank .and. SENDER == 0, 'MPI_RECV from any')
    end if
  end subroutine

  subroutine ssend()
    integer :: from, value
    if (late) then
      do from = 1, ranks - 1
        call MPI_RECV(value, 1, MPI_INTEGER, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
        call expect(value == from, 'MPI_SSEND')
      end do
    else
      call MPI_SSEND(rank, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, error)
    end if
  end subroutine

  subroutine sendrecv()
    integer :: value, left
    left = modulo(rank - 1, ranks)
    call MPI_SENDRECV(rank, 1, MPI_INTEGER, modulo(rank + 1, ranks), tag, value, 1, MPI_INTEGER, left, tag, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call expect(value == left, 'MPI_SENDRECV')
    call barrier()
  end subroutine

  subroutine probe()
    STATUS_VARIABLE
    integer :: value
    if (late) then
      call send_to_all()
    else
      call MPI_PROBE(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, status, error)
      call MPI_RECV(value, 1, MPI_INTEGER, SENDER, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      call expect(value == rank, 'MPI_PROBE')
    end if
  end subroutine

  subroutine wait_for_one()
    REQUEST :: pending
    integer :: value
    if (late) then
      call send_to_all()
    else
      call MPI_IRECV(value, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, pending, error)
      call MPI_WAIT(pending, MPI_STATUS_IGNORE, error)
      call expect(value == rank, 'MPI_WAIT')
    end if
  end subroutine

  subroutine wait_for_all()
    REQUEST :: pending(2)
    integer :: values(2)
    if (late) then
      call send_to_all()
      call send_to_all()
    else
      call MPI_IRECV(values(1), 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, pending(1), error)
      call MPI_IRECV(values(2), 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, pending(2), error)
      call MPI_WAITALL(2, pending, MPI_STATUSES_IGNORE, error)
      call expect(all(values == rank), 'MPI_WAITALL')
    end if
  end subroutine

  subroutine test_until_there()
    REQUEST :: pending
    integer :: value
    logical :: there
    if (late) then
      call send_to_all()
    else
      there = .false.
      call MPI_IRECV(value, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, pending, error)
      do while (.not. there)
        call MPI_TEST(pending, there, MPI_STATUS_IGNORE, error)
      end do
      call expect(value == rank, 'MPI_TEST')
    end if
  end subroutine

  subroutine persistent()
    REQUEST :: pending
    integer :: value
    if (late) then
      call send_to_all()
    else
      call MPI_RECV_INIT(value, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, pending, error)
      call MPI_START(pending, error)
      call MPI_WAIT(pending, MPI_STATUS_IGNORE, error)
      call MPI_REQUEST_FREE(pending, error)
      call expect(value == rank, 'MPI_RECV_INIT')
    end if
  end subroutine

  subroutine barrier()
    call MPI_BARRIER(MPI_COMM_WORLD, error)
  end subroutine

  subroutine bcast()
    integer :: value
    value = merge(42, 0, late)
    call MPI_BCAST(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    call expect(value == 42, 'MPI_BCAST')
  end subroutine

  subroutine reduce()
    integer :: sum
    call MPI_REDUCE(rank, sum, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
    if (late) call expect(sum == ranks * (ranks - 1) / 2, 'MPI_REDUCE')
    call barrier()
  end subroutine

  subroutine allreduce()
    integer :: sum
    call MPI_ALLREDUCE(rank, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call expect(sum == ranks * (ranks - 1) / 2, 'MPI_ALLREDUCE')
  end subroutine

  subroutine alltoall()
    integer :: out(0:ranks - 1), in(0:ranks - 1), i
    out = [(rank * ranks + i, i=0, ranks - 1)]
    call MPI_ALLTOALL(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, MPI_COMM_WORLD, error)
    call expect(all(in == [(i * ranks + rank, i=0, ranks - 1)]), 'MPI_ALLTOALL')
  end subroutine

  subroutine iallreduce()
    REQUEST :: pending
    integer :: sum
    call MPI_IALLREDUCE(rank, sum, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, pending, error)
    call MPI_WAIT(pending, MPI_STATUS_IGNORE, error)
    call expect(sum == ranks * (ranks - 1) / 2, 'MPI_IALLREDUCE')
  end subroutine

  subroutine neighbours()
    COMMUNICATOR :: line
    integer :: got(2), i
    call MPI_CART_CREATE(MPI_COMM_WORLD, 1, [ranks], [.true.], .false., line, error)
    do i = 1, ranks ! so that rank 0's lateness gets around
      call MPI_NEIGHBOR_ALLGATHER(rank, 1, MPI_INTEGER, got, 1, MPI_INTEGER, line, error)
    end do
    call expect(got(1) == modulo(rank - 1, ranks) .and. got(2) == modulo(rank + 1, ranks), 'MPI_NEIGHBOR_ALLGATHER')
    call MPI_COMM_FREE(line, error)
  end subroutine

  subroutine comm_split()
    COMMUNICATOR :: half
    integer :: members
    call MPI_COMM_SPLIT(MPI_COMM_WORLD, modulo(rank, 2), rank, half, error)
    call MPI_COMM_SIZE(half, members, error)
    call expect(members == (ranks + 1 - modulo(rank, 2)) / 2, 'MPI_COMM_SPLIT')
    call MPI_COMM_FREE(half, error)
  end subroutine

  ! Everybody writes its rank into its place at rank 0.
  subroutine fence()
    WINDOW :: exposed_window
    integer, asynchronous :: exposed(0:ranks - 1)
    integer :: i
    exposed = 0
    call MPI_WIN_CREATE(exposed, int(4 * ranks, MPI_ADDRESS_KIND), 4, MPI_INFO_NULL, MPI_COMM_WORLD, exposed_window, &
                        error)
    call MPI_WIN_FENCE(0, exposed_window, error)
    call MPI_PUT(rank, 1, MPI_INTEGER, 0, int(rank, MPI_ADDRESS_KIND), 1, MPI_INTEGER, exposed_window, error)
    call MPI_WIN_FENCE(0, exposed_window, error)
    if (late) call expect(all(exposed == [(i, i=0, ranks - 1)]), 'MPI_WIN_FENCE')
    call MPI_WIN_FREE(exposed_window, error)
  end subroutine

end module

program fortran_calls
  use CALLS
  implicit none

  call MPI_INIT(error)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, error)
  late = rank == 0
  call read_arguments()
  call try('recv', recv)
  call try('recv_from_any', recv_from_any)
  call try('ssend', ssend)
  call try('sendrecv', sendrecv)
  call try('probe', probe)
  call try('wait', wait_for_one)
  call try('waitall', wait_for_all)
  call try('test', test_until_there)
  call try('persistent', persistent)
  call try('barrier', barrier)
  call try('bcast', bcast)
  call try('reduce', reduce)
  call try('allreduce', allreduce)
  call try('alltoall', alltoall)
  call try('iallreduce', iallreduce)
  call try('neighbours', neighbours)
  call try('comm_split', comm_split)
  call try('fence', fence)
  if (late) print '(a)', 'calls done'
  call MPI_FINALIZE(error)
end program
