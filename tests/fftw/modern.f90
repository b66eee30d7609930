! FFTW's interface of Fortran 2003, by the include file of the libraries: C's names and order of dimensions.
program modern
  use, intrinsic :: iso_c_binding
  implicit none
  include 'fftw3.f03'
  real(C_DOUBLE), parameter :: pi = 3.14159265358979324d0
  integer :: wrong = 0, compared = 0
  call complex_2d()
  call real_single()
  call guru()
  call wisdom()
  print '(i0, a, i0, a)', compared, ' numbers, ', wrong, ' wrong'
  if (wrong > 0 .or. compared < 30) stop 1
contains
  subroutine compare(what, got, want, allowed)
    character(*), intent(in) :: what
    complex(8), intent(in) :: got, want
    real(8), intent(in) :: allowed
    compared = compared + 1
    if (abs(got - want) < allowed) return
    wrong = wrong + 1
    print *, what, ': ', got, ' not ', want
  end subroutine

  ! Fortran's first dimension is C's last.
  subroutine complex_2d()
    integer(C_INT), parameter :: nx = 4, ny = 3
    type(C_PTR) :: plan, memory
    complex(C_DOUBLE_COMPLEX), pointer :: x(:, :)
    complex(C_DOUBLE_COMPLEX) :: y(nx, ny), want
    integer :: i, j, k, l
    memory = fftw_alloc_complex(int(nx * ny, C_SIZE_T))
    call c_f_pointer(memory, x, [nx, ny])
    plan = fftw_plan_dft_2d(ny, nx, x, y, FFTW_BACKWARD, FFTW_ESTIMATE)
    do j = 1, ny
      do i = 1, nx
        x(i, j) = cmplx(mod(7 * i + 3 * j, 5), mod(i * j, 4), 8)
      end do
    end do
    call fftw_execute_dft(plan, x, y)
    do l = 1, ny
      do k = 1, nx
        want = 0
        do j = 1, ny
          do i = 1, nx
            want = want + x(i, j) * exp(cmplx(0d0, 2 * pi * ((i - 1) * (k - 1) / real(nx, 8) + (j - 1) * (l - 1) / real(ny, 8)), 8))
          end do
        end do
        call compare('complex_2d', y(k, l), want, 1d-12)
      end do
    end do
    call fftw_destroy_plan(plan)
    call fftw_free(memory)
  end subroutine

  subroutine real_single()
    integer(C_INT), parameter :: n = 8
    integer(C_FFTW_R2R_KIND) :: kinds(1) = [FFTW_REDFT10]
    real(C_FLOAT) :: x(n), y(n)
    integer :: i, k
    real(8) :: want
    type(C_PTR) :: plan
    plan = fftwf_plan_r2r(1, [n], x, y, kinds, ior(FFTW_ESTIMATE, FFTW_PRESERVE_INPUT))
    x = [(real(mod(3 * i, 7), C_FLOAT), i = 1, n)]
    call fftwf_execute_r2r(plan, x, y)
    do k = 0, n - 1
      want = 2 * sum([(x(i) * cos(pi * (i - .5d0) * k / n), i = 1, n)])
      call compare('real_single', cmplx(y(k + 1), 0, 8), cmplx(want, 0, 8), 1d-4)
    end do
    call fftwf_destroy_plan(plan)
  end subroutine

  ! Rows of a matrix, by structures.
  subroutine guru()
    type(fftw_iodim64) :: dims(1), many(1)
    real(C_DOUBLE) :: x(3, 4)
    complex(C_DOUBLE_COMPLEX) :: y(3, 3)
    integer :: i, j
    type(C_PTR) :: plan
    dims(1) = fftw_iodim64(4, 3, 3)
    many(1) = fftw_iodim64(3, 1, 1)
    plan = fftw_plan_guru64_dft_r2c(1, dims, 1, many, x, y, FFTW_ESTIMATE)
    x = reshape([(real(mod(5 * i, 11), 8), i = 1, 12)], [3, 4])
    call fftw_execute_dft_r2c(plan, x, y)
    do i = 1, 3
      call compare('guru', y(i, 1), cmplx(sum(x(i, :)), 0, 8), 1d-12)
      call compare('guru', y(i, 2), cmplx(x(i, 1) - x(i, 3), x(i, 4) - x(i, 2), 8), 1d-12)
      call compare('guru', y(i, 3), cmplx(sum([((-1)**(j - 1) * x(i, j), j = 1, 4)]), 0, 8), 1d-12)
    end do
    call fftw_destroy_plan(plan)
  end subroutine

  subroutine wisdom()
    type(C_PTR) :: text, plan
    character(C_CHAR), pointer :: letters(:)
    complex(C_DOUBLE_COMPLEX) :: x(16)
    plan = fftw_plan_dft_1d(16, x, x, FFTW_FORWARD, FFTW_ESTIMATE)
    call fftw_destroy_plan(plan)
    text = fftw_export_wisdom_to_string()
    call c_f_pointer(text, letters, [1])
    call compare('wisdom', cmplx(iachar(letters(1)), fftw_import_wisdom_from_filename('none' // C_NULL_CHAR), 8), &
                 cmplx(iachar('('), 0, 8), 0.5d0)
    call fftw_free(text)
  end subroutine
end program
