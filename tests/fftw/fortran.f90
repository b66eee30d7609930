! FFTW's legacy Fortran interface: transforms of arrays in Fortran's order against sums of the definition. Prints what
! is wrong, and how many were compared; ends with 1 where something is.
program fortran
  implicit none
  integer, parameter :: forward = -1, backward = 1, estimate = 64, nx = 6, ny = 5, nz = 4
  integer, parameter :: redft10 = 5, rodft10 = 9
  double precision, parameter :: pi = 3.14159265358979324d0
  integer :: wrong = 0, compared = 0
  call complex_2d()
  call complex_3d()
  call complex_many()
  call complex_guru()
  call real_2d()
  call kinds_2d()
  call others()
  print '(i0, a, i0, a)', compared, ' numbers, ', wrong, ' wrong'
  if (wrong > 0 .or. compared == 0) stop 1
contains
  subroutine compare(what, got, want)
    character(*), intent(in) :: what
    complex(8), intent(in) :: got, want
    compared = compared + 1
    if (abs(got - want) < 1d-12) return
    wrong = wrong + 1
    if (wrong < 9) print *, what, ': ', got, ' not ', want
  end subroutine

  complex(8) function root(k, n, sign)
    integer, intent(in) :: k, n, sign
    root = exp(cmplx(0d0, sign * 2 * pi * k / n, 8))
  end function

  subroutine draw(x)
    complex(8), intent(out) :: x(:)
    double precision :: re(size(x)), im(size(x))
    call random_number(re)
    call random_number(im)
    x = cmplx(re - 0.5d0, im - 0.5d0, 8)
  end subroutine

  subroutine complex_2d()
    complex(8) :: x(nx, ny), y(nx, ny), want
    integer(8) :: plan
    integer :: i, j, k, l
    call dfftw_plan_dft_2d(plan, nx, ny, x, y, forward, estimate)
    do j = 1, ny
      call draw(x(:, j))
    end do
    call dfftw_execute_dft(plan, x, y)
    do l = 0, ny - 1
      do k = 0, nx - 1
        want = 0
        do j = 0, ny - 1
          do i = 0, nx - 1
            want = want + x(i + 1, j + 1) * root(i * k, nx, forward) * root(j * l, ny, forward)
          end do
        end do
        call compare('2-D', y(k + 1, l + 1), want)
      end do
    end do
    call dfftw_destroy_plan(plan)
  end subroutine

  subroutine complex_3d()
    complex(8) :: x(nx, ny, nz), y(nx, ny, nz), z(nx, ny, nz)
    integer(8) :: plan
    integer :: j, k, n(3) = (/nx, ny, nz/)
    call dfftw_plan_dft_3d(plan, nx, ny, nz, x, y, backward, estimate)
    do k = 1, nz
      do j = 1, ny
        call draw(x(:, j, k))
      end do
    end do
    call dfftw_execute(plan)
    call dfftw_destroy_plan(plan)
    call dfftw_plan_dft(plan, 3, n, y, z, forward, estimate)
    call dfftw_execute(plan)
    call dfftw_destroy_plan(plan)
    do k = 1, nz
      do j = 1, ny
        call compare('there and back', z(3, j, k) / (nx * ny * nz), x(3, j, k))
      end do
    end do
    call compare('3-D', y(1, 1, 1), sum(x))
  end subroutine

  subroutine complex_many()
    complex(8) :: x(nx, ny), y(nx, ny), want
    integer(8) :: plan
    integer :: i, j, k, n(1) = (/ny/), embed(1) = (/ny/)
    ! along the second index, for each of the first
    call dfftw_plan_many_dft(plan, 1, n, nx, x, embed, nx, 1, y, embed, nx, 1, forward, estimate)
    do j = 1, ny
      call draw(x(:, j))
    end do
    call dfftw_execute(plan)
    call dfftw_destroy_plan(plan)
    do i = 1, nx
      do k = 0, ny - 1
        want = 0
        do j = 0, ny - 1
          want = want + x(i, j + 1) * root(j * k, ny, forward)
        end do
        call compare('many', y(i, k + 1), want)
      end do
    end do
  end subroutine

  subroutine complex_guru()
    complex(8) :: x(nx, ny), y(nx, ny), want
    integer(8) :: plan
    integer :: i, j, k, n(1) = (/nx/), one(1) = (/1/), many(1) = (/ny/), apart(1) = (/nx/)
    call dfftw_plan_guru_dft(plan, 1, n, one, one, 1, many, apart, apart, x, y, backward, estimate)
    do j = 1, ny
      call draw(x(:, j))
    end do
    call dfftw_execute(plan)
    call dfftw_destroy_plan(plan)
    do j = 1, ny
      do k = 0, nx - 1
        want = 0
        do i = 0, nx - 1
          want = want + x(i + 1, j) * root(i * k, nx, backward)
        end do
        call compare('guru', y(k + 1, j), want)
      end do
    end do
  end subroutine

  subroutine real_2d()
    double precision :: x(nx, ny), z(nx, ny)
    complex(8) :: y(nx / 2 + 1, ny), want
    integer(8) :: plan
    integer :: i, j, k, l
    call dfftw_plan_dft_r2c_2d(plan, nx, ny, x, y, estimate)
    call random_number(x)
    call dfftw_execute_dft_r2c(plan, x, y)
    call dfftw_destroy_plan(plan)
    do l = 0, ny - 1
      do k = 0, nx / 2
        want = 0
        do j = 0, ny - 1
          do i = 0, nx - 1
            want = want + x(i + 1, j + 1) * root(i * k, nx, forward) * root(j * l, ny, forward)
          end do
        end do
        call compare('r2c', y(k + 1, l + 1), want)
      end do
    end do
    call dfftw_plan_dft_c2r_2d(plan, nx, ny, y, z, estimate)
    call dfftw_execute(plan)
    call dfftw_destroy_plan(plan)
    do j = 1, ny
      call compare('c2r', cmplx(z(2, j) / (nx * ny), 0, 8), cmplx(x(2, j), 0, 8))
    end do
  end subroutine

  ! Cosines along the first index, sines along the second.
  subroutine kinds_2d()
    double precision :: x(nx, ny), y(nx, ny), want
    integer(8) :: plan
    integer :: i, j, k, l, n(2) = (/nx, ny/), kind(2) = (/redft10, rodft10/), turn
    do turn = 1, 2
      if (turn == 1) call dfftw_plan_r2r_2d(plan, nx, ny, x, y, redft10, rodft10, estimate)
      if (turn == 2) call dfftw_plan_r2r(plan, 2, n, x, y, kind, estimate)
      call random_number(x)
      call dfftw_execute(plan)
      call dfftw_destroy_plan(plan)
      do l = 0, ny - 1
        do k = 0, nx - 1
          want = 0
          do j = 0, ny - 1
            do i = 0, nx - 1
              want = want + 4 * x(i + 1, j + 1) * cos(pi * (i + 0.5d0) * k / nx) * sin(pi * (j + 0.5d0) * (l + 1) / ny)
            end do
          end do
          call compare('r2r', cmplx(y(k + 1, l + 1), 0, 8), cmplx(want, 0, 8))
        end do
      end do
    end do
  end subroutine

  subroutine others()
    complex(8) :: x(8), y(8)
    integer(8) :: plan
    integer :: done, threads
    double precision :: add = -1, mul = -1, fma = -1, cost = -1
    call dfftw_init_threads(done)
    call dfftw_plan_with_nthreads(2)
    call dfftw_planner_nthreads(threads)
    call dfftw_set_timelimit(10d0)
    call dfftw_plan_dft_1d(plan, 8, x, y, forward, estimate)
    call dfftw_flops(plan, add, mul, fma)
    call dfftw_estimate_cost(cost, plan)
    call dfftw_destroy_plan(plan)
    call dfftw_cleanup_threads()
    call dfftw_forget_wisdom()
    call dfftw_cleanup()
    compared = compared + 1
    if (done == 0 .or. threads /= 2 .or. min(add, mul, fma, cost) < 0) then
      wrong = wrong + 1
      print *, 'others: ', done, threads, add, mul, fma, cost
    end if
  end subroutine
end program
