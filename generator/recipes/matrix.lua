-- Half precision on GPUs whose warps multiply matrices: primes, as a product with all roots of unity. Passes around a
-- smaller prime are faster: 254 points 122 us by dense(127) and a pass, 158 so (H200).
priority = 1

local LEAST = 32 -- smaller ones are codelets that take as long as a copy
-- Transforms of a block, and threads: of each warp sixteen, whose factors registers hold.
local SHAPES = { { 16, 32 }, { 32, 64 } }

function applies(problem, device)
  if problem.kind ~= "c2c" or problem.rank ~= 1 or problem.child or problem.scaled then return false end
  if problem.precision ~= "f16" or problem.compute ~= "f32" or problem.batch_rank ~= 1 then return false end
  local n = problem.points
  return n >= LEAST and n <= device.matrix_limit and #fft.factor(n) == 1
end

function plans(problem, device)
  local result = {}
  for _, shape in ipairs(SHAPES) do
    table.insert(result, { "direct", problem.points, matrix = 1, group = shape[1], threads = shape[2] })
  end
  return result
end
