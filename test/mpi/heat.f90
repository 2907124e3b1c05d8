! SPDX-License-Identifier: GPL-2.0-or-later
!
! Heat along a rod of n points by explicit steps, through mpif.h: halo by MPI_SENDRECV, sum by MPI_REDUCE.
! After so many steps it goes on if there are more rounds (rounds.h).
program heat
  implicit none
  include 'mpif.h'
  integer :: error, rank, ranks, left, right, n, steps, first, points, step, i, done, wanted
  character(len=1024) :: file
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
  done = 0
  do while (another_round())
    do step = 1, steps
      call MPI_SENDRECV(now(1), 1, MPI_DOUBLE_PRECISION, left, 0, now(points + 1), 1, &
                        MPI_DOUBLE_PRECISION, right, 0, MPI_COMM_WORLD, status, error)
      call MPI_SENDRECV(now(points), 1, MPI_DOUBLE_PRECISION, right, 1, now(0), 1, &
                        MPI_DOUBLE_PRECISION, left, 1, MPI_COMM_WORLD, status, error)
      next(1:points) = now(1:points) + 0.25d0 * (now(0:points - 1) - 2 * now(1:points) + now(2:points + 1))
      now(1:points) = next(1:points)
    end do
    done = done + 1
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
    integer :: status1, status2, status3
    call get_command_argument(1, text(1))
    call get_command_argument(2, text(2))
    read (text(1), *, iostat=status1) n
    read (text(2), *, iostat=status2) steps
    wanted = 1
    status3 = 0
    file = ''
    if (command_argument_count() == 3) call get_command_argument(3, file)
    if (file(1:6) == 'until:') then
      file = file(7:)
    else if (file /= '') then
      read (file, *, iostat=status3) wanted
      file = ''
    end if
    if (command_argument_count() >= 2 .and. status1 == 0 .and. status2 == 0 .and. status3 == 0) then
      if (n >= ranks .and. n <= 100000000 .and. steps >= 1 .and. wanted >= 1) return
    end if
    if (rank == 0) write (0, '(a)') 'usage: heat n(ranks-100000000) steps(1-) [rounds(1-) | until:FILE]'
    call MPI_FINALIZE(error)
    stop 2
  end subroutine

  ! The same on all ranks; with until:FILE it says in FILE.rounds how many are done.
  logical function another_round()
    another_round = done < wanted
    if (file == '') return
    if (rank == 0) then
      open (unit=7, file=trim(file)//'.rounds')
      write (7, '(i0)') done
      close (7)
      inquire (file=trim(file), exist=another_round)
      another_round = .not. another_round
    end if
    call MPI_BCAST(another_round, 1, MPI_LOGICAL, 0, MPI_COMM_WORLD, error)
  end function

end program
