-- Codelets of the library that are alone (cmake/fftw.cmake), where another plan than the fastest has less rounding error:
-- factors whose greatest common divisor is 1 stay in one codelet, where nothing is multiplied between them; sums of a
-- prime's products round less than its convolution, which has fewer of them; and of powers of two a codelet of 16 rounds
-- less than two of 8, and is as fast where vectors are long.
only = true
local real = { [40] = true, [48] = true, [56] = true }

local function sums(n) return n == 17 end -- below, the convolution rounds no more

local function long_power(n, device) return n >= 64 and n & (n - 1) == 0 and device.lanes >= 8 end

function applies(problem, device)
  local n = problem.points
  if problem.kind ~= "c2c" then return real[n] or sums(n) end
  return sums(n) or device.lanes < 2 and n == 60 or
    problem.precision == "f64" and (n == 12 or n == 20 or n == 40 or long_power(n, device))
end

function plans(problem, device)
  local n = problem.points
  if sums(n) then return { { "direct", n, fma = "off" } } end
  if problem.kind == "c2c" and device.lanes < 2 and n >= 40 then return { { "stockham", 10, n // 10 } } end -- short text
  if problem.kind ~= "c2c" or n == 12 or device.lanes < 2 then return { { "direct", n } } end
  if long_power(n, device) then return { { "stockham", 16, n // 16 } } end
  return { { "stockham", 10, n // 10, lanes = math.min(device.lanes, 4) } }
end
