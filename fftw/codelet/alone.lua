-- Codelets of the library that are alone (cmake/fftw.cmake), where another plan than the fastest has less rounding error:
-- factors whose greatest common divisor is 1 stay in one codelet, where nothing is multiplied between them.
only = true
local real = { [40] = true, [48] = true, [56] = true }

function applies(problem, device)
  local n = problem.points
  if problem.kind ~= "c2c" then return real[n] or false end
  return problem.precision == "f64" and (n == 12 or n == 20 or n == 40)
end

function plans(problem, device)
  local n = problem.points
  if problem.kind ~= "c2c" or n == 12 or device.lanes < 2 then return { { "direct", n } } end
  return { { "stockham", 10, n // 10, lanes = math.min(device.lanes, 4) } }
end
