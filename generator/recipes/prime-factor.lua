-- n = a b without a common factor: two passes without twiddles (Good and Thomas),
-- every element at an address of its own. Worth a look where one codelet no longer
-- holds n and both factors have one.
priority = 6

local LEAST, MOST = 65, 4096 -- points: beyond one codelet, and as far as two reach
local CHOICES = 2            -- pairs of factors, the most even ones
local F64_RADIX = fft.limit("thread_radix_f64")

local function gcd(a, b)
  while b > 0 do
    a, b = b, a % b
  end
  return a
end

function applies(problem, device)
  if device.lanes > 1 and not device.gpu then return false end -- vectors would be put together lane by lane
  local n = problem.points
  return problem.kind == "c2c" and problem.rank == 1 and not problem.child and n >= LEAST and n <= MOST
end

function plans(problem, device)
  local longest = device.gpu and problem.compute == "f64" and F64_RADIX or 64 -- longer ones leave a block alone
  local n, most, list = problem.points, math.min(longest, device.codelet_limit), {}
  for a = math.floor(math.sqrt(n)), 2, -1 do
    local b = n // a
    if a * b == n and b <= most and gcd(a, b) == 1 and #list < CHOICES then
      table.insert(list, { "prime-factor", { "direct", b }, { "direct", a } })
    end
  end
  return list
end
