! SPDX-License-Identifier: GPL-2.0-or-later
!
! Largest eigenvalue of a dense symmetric n x n matrix by power iteration, through the mpi module: rows
! dealt out to the ranks, the vector put together by MPI_Allgatherv.
program power
  use mpi
  implicit none
  integer :: error, rank, ranks, n, iterations, first, rows, i, j, iteration
  integer, allocatable :: counts(:), displacements(:)
  double precision, allocatable :: matrix(:, :), vector(:), product(:)
  double precision :: start, mine, norm

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  call read_arguments()
  allocate (counts(0:ranks - 1), displacements(0:ranks - 1))
  do i = 0, ranks - 1
    displacements(i) = int(int(n, 8) * i / ranks)
    counts(i) = int(int(n, 8) * (i + 1) / ranks) - displacements(i)
  end do
  first = displacements(rank)
  rows = counts(rank)

  allocate (matrix(n, rows), vector(n), product(rows))
  do j = 1, rows
    do i = 1, n
      matrix(i, j) = 1.0d0 / (i + j + first)
    end do
  end do
  vector = 1

  call MPI_Barrier(MPI_COMM_WORLD, error)
  start = MPI_Wtime()
  do iteration = 1, iterations
    do j = 1, rows
      product(j) = dot_product(matrix(:, j), vector)
    end do
    mine = dot_product(product, product)
    call MPI_Allreduce(mine, norm, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    norm = sqrt(norm)
    product = product / norm
    call MPI_Allgatherv(product, rows, MPI_DOUBLE_PRECISION, vector, counts, displacements, &
                        MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, error)
  end do

  if (rank == 0) print '(a,i0,a,es24.16,a,f0.6)', 'power ranks=', ranks, ' checksum=', &
    norm + vector(n), ' seconds=', MPI_Wtime() - start
  call MPI_Finalize(error)

contains

  subroutine read_arguments()
    character(len=32) :: text(2)
    integer :: status1, status2
    call get_command_argument(1, text(1))
    call get_command_argument(2, text(2))
    read (text(1), *, iostat=status1) n
    read (text(2), *, iostat=status2) iterations
    if (command_argument_count() == 2 .and. status1 == 0 .and. status2 == 0) then
      if (n >= 1 .and. n <= 30000 .and. iterations >= 1) return
    end if
    if (rank == 0) write (0, '(a)') 'usage: power n(1-30000) iterations(1-)'
    call MPI_Finalize(error)
    stop 2
  end subroutine

end program
