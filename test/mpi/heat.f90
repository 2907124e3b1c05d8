! SPDX-License-Identifier: GPL-2.0-or-later
!
! Heat along a rod of n points by explicit steps, through mpif.h: halo by MPI_SENDRECV, sum by MPI_REDUCE.
program heat
  implicit none
  include 'mpif.h'
  integer :: error, rank, ranks, left, right, n, steps, first, points, step, i
  integer :: status(MPI_STATUS_SIZE)
  double precision, allocatable :: now(:), next(:)
  double precision :: start, mine, total

  call MPI_INIT(error)
  call MPI_COMM_RANK(MPI_COMM_WORLD, rank, error)
  call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, error)
  call read_arguments()
  left = rank - 1
  if (rank == 0) left = MPI_PROC_NULL
  right = rank + 1
  if (rank == ranks - 1) right = MPI_PROC_NULL
  first = int(int(n, 8) * rank / ranks)
  points = int(int(n, 8) * (rank + 1) / ranks) - first

  allocate (now(0:points + 1), next(0:points + 1))
  now = 0
  do i = 1, points
    now(i) = mod(first + i, 17)
  end do

  call MPI_BARRIER(MPI_COMM_WORLD, error)
  start = MPI_WTIME()
  do step = 1, steps
    call MPI_SENDRECV(now(1), 1, MPI_DOUBLE_PRECISION, left, 0, now(points + 1), 1, &
                      MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, status, error)
    call MPI_SENDRECV(now(points), 1, MPI_DOUBLE_PRECISION, right, 1, now(0), 1, &
                      MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, status, error)
    next(1:points) = now(1:points) + 0.25d0 * (now(0:points - 1) - 2 * now(1:points) + now(2:points + 1))
    now(1:points) = next(1:points)
  end do

  mine = 0
  do i = 1, points
    mine = mine + now(i) * (1 + mod(first + i, 3))
  end do
  call MPI_REDUCE(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, 0, MPI_COMM_WORLD, error)
  if (rank == 0) print '(a,i0,a,es24.16,a,f0.6)', 'heat ranks=', ranks, ' checksum=', total, &
    ' seconds=', MPI_WTIME() - start
  call MPI_FINALIZE(error)

contains

  subroutine read_arguments()
    character(len=32) :: text(2)
    integer :: status1, status2
    call get_command_argument(1, text(1))
    call get_command_argument(2, text(2))
    read (text(1), *, iostat=status1) n
    read (text(2), *, iostat=status2) steps
    if (command_argument_count() == 2 .and. status1 == 0 .and. status2 == 0) then
      if (n >= ranks .and. n <= 100000000 .and. steps >= 1) return
    end if
    if (rank == 0) write (0, '(a)') 'usage: heat n(ranks-100000000) steps(1-)'
    call MPI_FINALIZE(error)
    stop 2
  end subroutine

end program
