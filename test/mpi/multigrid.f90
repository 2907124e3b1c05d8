! SPDX-License-Identifier: GPL-2.0-or-later
!
! Poisson's equation in a periodic n x n x n box by multigrid V-cycles, through the mpi_f08 module. Planes
! are dealt out to the ranks, a power of two; halos are exchanged on all levels, down to 2 x 2 x 2 points.
! Where there are fewer planes than ranks, every second, fourth, ... rank has one and the others wait.
! The checksum is the same for every number of ranks.
program multigrid
  use mpi_f08
  implicit none
  integer, parameter :: real64 = kind(1.0d0)

  type level
    integer :: n       ! points in each direction
    integer :: planes  ! of this rank: index 1 to planes, between those of the neighbours
    integer :: stride  ! between ranks that have planes
    real(real64), allocatable :: u(:, :, :), f(:, :, :), r(:, :, :)
  end type

  integer :: rank, ranks
  type(level), allocatable :: l(:)
  integer :: log2_n, cycles, i
  real(real64) :: start, seconds, before, after, checksum

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call read_arguments()
  allocate (l(log2_n))
  do i = 1, log2_n
    call create(l(i), 2**(log2_n + 1 - i))
  end do
  call place_charges(l(1))
  call compute_residual(l(1))
  before = sum_of_squares(l(1))

  call MPI_Barrier(MPI_COMM_WORLD)
  start = MPI_Wtime()
  do i = 1, cycles
    call cycle_from(l)
  end do
  seconds = MPI_Wtime() - start

  call compute_residual(l(1))
  after = sum_of_squares(l(1))
  if (after >= before) then
    if (rank == 0) write (0, '(a)') 'multigrid: it does not converge'
    call MPI_Abort(MPI_COMM_WORLD, 3)
  end if
  checksum = total(l(1))
  if (rank == 0) print '(a,i0,a,es24.16,a,f0.6)', 'multigrid ranks=', ranks, ' checksum=', checksum, &
    ' seconds=', seconds
  call MPI_Finalize()

contains

  subroutine create(l, n)
    type(level), intent(out) :: l
    integer, intent(in) :: n
    l%n = n
    l%stride = max(1, ranks / n)
    l%planes = max(1, n / ranks)
    if (mod(rank, l%stride) /= 0) l%planes = 0
    allocate (l%u(n, n, 0:l%planes + 1), l%f(n, n, 0:l%planes + 1), l%r(n, n, 0:l%planes + 1))
    l%u = 0
    l%f = 0
    l%r = 0
  end subroutine

  integer function neighbour(distance)
    integer, intent(in) :: distance
    neighbour = modulo(rank + distance, ranks)
  end function

  subroutine exchange_halo(l, v)
    type(level), intent(in) :: l
    real(real64), intent(inout) :: v(l%n, l%n, 0:l%planes + 1)
    integer :: count
    count = l%n * l%n
    if (l%planes == 0) return
    call MPI_Sendrecv(v(1, 1, l%planes), count, MPI_DOUBLE_PRECISION, neighbour(l%stride), 0, &
                      v(1, 1, 0), count, MPI_DOUBLE_PRECISION, neighbour(-l%stride), 0, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Sendrecv(v(1, 1, 1), count, MPI_DOUBLE_PRECISION, neighbour(-l%stride), 1, &
                      v(1, 1, l%planes + 1), count, MPI_DOUBLE_PRECISION, neighbour(l%stride), 1, &
                      MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine

  ! To the ranks that have a plane of the next finer level, but none of this one.
  subroutine share_with_finer(l)
    type(level), intent(inout) :: l
    integer :: count, half
    type(MPI_Request) :: requests(2)
    if (l%stride == 1) return
    count = l%n * l%n
    half = l%stride / 2
    if (l%planes == 1) then
      call MPI_Isend(l%u(1, 1, 1), count, MPI_DOUBLE_PRECISION, neighbour(half), 2, MPI_COMM_WORLD, requests(1))
      call MPI_Isend(l%u(1, 1, 1), count, MPI_DOUBLE_PRECISION, neighbour(-half), 3, MPI_COMM_WORLD, requests(2))
    else if (mod(rank, half) == 0) then
      call MPI_Irecv(l%u(1, 1, 0), count, MPI_DOUBLE_PRECISION, neighbour(-half), 2, MPI_COMM_WORLD, requests(1))
      call MPI_Irecv(l%u(1, 1, 1), count, MPI_DOUBLE_PRECISION, neighbour(half), 3, MPI_COMM_WORLD, requests(2))
    else
      return
    end if
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
  end subroutine

  ! r = f + the Laplacian of u; the width of the whole box is 1.
  subroutine compute_residual(l)
    type(level), intent(inout) :: l
    integer :: i, j, k, n, west, east, south, north
    n = l%n
    call exchange_halo(l, l%u)
    do k = 1, l%planes
      do j = 1, n
        south = modulo(j - 2, n) + 1
        north = modulo(j, n) + 1
        do i = 1, n
          west = modulo(i - 2, n) + 1
          east = modulo(i, n) + 1
          l%r(i, j, k) = l%f(i, j, k) + real(n, real64)**2 * &
            (l%u(west, j, k) + l%u(east, j, k) + l%u(i, south, k) + l%u(i, north, k) &
             + l%u(i, j, k - 1) + l%u(i, j, k + 1) - 6 * l%u(i, j, k))
        end do
      end do
    end do
  end subroutine

  subroutine smooth(l, times)
    type(level), intent(inout) :: l
    integer, intent(in) :: times
    integer :: i
    do i = 1, times
      call compute_residual(l)
      l%u(:, :, 1:l%planes) = l%u(:, :, 1:l%planes) + l%r(:, :, 1:l%planes) / (7 * real(l%n, real64)**2)
    end do
  end subroutine

  ! Full weighting of the finer level's residual.
  subroutine restrict(fine, coarse)
    type(level), intent(inout) :: fine, coarse
    real(real64) :: plane(fine%n, fine%n)
    integer :: k
    call exchange_halo(fine, fine%r)
    do k = 1, coarse%planes
      plane = (fine%r(:, :, 2 * k - 2) + 2 * fine%r(:, :, 2 * k - 1) + fine%r(:, :, 2 * k)) / 4
      plane = (cshift(plane, -1, 1) + 2 * plane + cshift(plane, 1, 1)) / 4
      plane = (cshift(plane, -1, 2) + 2 * plane + cshift(plane, 1, 2)) / 4
      coarse%f(:, :, k) = plane(1::2, 1::2)
    end do
    coarse%u = 0
  end subroutine

  ! Adds the coarser level's solution, linear between its points.
  subroutine prolong(coarse, fine)
    type(level), intent(inout) :: coarse, fine
    integer :: k, below
    logical :: between
    call exchange_halo(coarse, coarse%u)
    call share_with_finer(coarse)
    do k = 1, fine%planes
      ! With one plane each, those of every second rank lie between coarse ones.
      between = merge(coarse%planes == 0, mod(k, 2) == 0, fine%planes == 1)
      below = merge(0, (k + 1) / 2, coarse%planes == 0)
      if (between) then
        call add((coarse%u(:, :, below) + coarse%u(:, :, below + 1)) / 2, fine%u(:, :, k))
      else
        call add(coarse%u(:, :, below), fine%u(:, :, k))
      end if
    end do
  end subroutine

  subroutine add(small, large)
    real(real64), intent(in) :: small(:, :)
    real(real64), intent(inout) :: large(:, :)
    real(real64) :: rows(size(large, 1), size(small, 2))
    rows(1::2, :) = small
    rows(2::2, :) = (small + cshift(small, 1, 1)) / 2
    large(:, 1::2) = large(:, 1::2) + rows
    large(:, 2::2) = large(:, 2::2) + (rows + cshift(rows, 1, 2)) / 2
  end subroutine

  recursive subroutine cycle_from(l)
    type(level), intent(inout) :: l(:)
    if (size(l) == 1) then
      call smooth(l(1), 8)
    else
      call smooth(l(1), 2)
      call compute_residual(l(1))
      call restrict(l(1), l(2))
      call cycle_from(l(2:))
      call prolong(l(2), l(1))
      call smooth(l(1), 2)
    end if
  end subroutine

  ! Ten charges of either sign, which make no sum.
  subroutine place_charges(l)
    type(level), intent(inout) :: l
    integer :: i, k, at
    do i = 0, 19
      at = modulo(i * 7919 + 13, l%n)
      k = at - rank * l%planes + 1
      if (k >= 1 .and. k <= l%planes) then
        l%f(modulo(i * 104729, l%n) + 1, modulo(i * 1299709, l%n) + 1, k) = &
          l%f(modulo(i * 104729, l%n) + 1, modulo(i * 1299709, l%n) + 1, k) &
          + merge(1, -1, mod(i, 2) == 0) * real(l%n, real64)**3
      end if
    end do
  end subroutine

  ! Of the residual.
  real(real64) function sum_of_squares(l)
    type(level), intent(in) :: l
    real(real64) :: mine
    mine = sum(l%r(:, :, 1:l%planes)**2)
    call MPI_Allreduce(mine, sum_of_squares, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  end function

  ! Of the solution. Each addend is rounded to 2**-20, so that the order of the additions does not matter.
  real(real64) function total(l)
    type(level), intent(in) :: l
    real(real64) :: mine
    integer :: i, j, k
    mine = 0
    do k = 1, l%planes
      do j = 1, l%n
        do i = 1, l%n
          mine = mine + anint(abs(l%u(i, j, k)) * 2.0d0**20) * 2.0d0**(-20) * (1 + mod(i + 3 * j, 7))
        end do
      end do
    end do
    call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
  end function

  subroutine read_arguments()
    character(len=32) :: text(2)
    integer :: status1, status2
    call get_command_argument(1, text(1))
    call get_command_argument(2, text(2))
    read (text(1), *, iostat=status1) log2_n
    read (text(2), *, iostat=status2) cycles
    if (command_argument_count() == 2 .and. status1 == 0 .and. status2 == 0) then
      if (log2_n >= 1 .and. log2_n <= 9 .and. cycles >= 1 .and. popcnt(ranks) == 1 .and. ranks <= 2**log2_n) return
    end if
    if (rank == 0) write (0, '(a)') 'usage: multigrid log2-n(1-9) cycles(1-), with 1, 2, 4, ... n ranks'
    call MPI_Finalize()
    stop 2
  end subroutine

end program
