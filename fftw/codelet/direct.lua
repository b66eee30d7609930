-- Codelets of the library (cmake/fftw.cmake): one straight-line codelet each, whatever else would be faster; two passes
-- would want scratch.
only = true

function applies(problem, device)
  return problem.rank == 1 and problem.points <= device.codelet_limit
end

function plans(problem, device)
  return { { "direct", problem.points } }
end
