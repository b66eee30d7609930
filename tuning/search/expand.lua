-- What a file such as space.lua means: rules and plans -> candidates.
--
-- Called by space.c inside the sandbox. Errors say which rule, what, and what is
-- allowed; the name of the file goes before them.
local MOST = 256 -- variants of one plan

local function refuse(number, rule, form, ...)
  local name = type(rule) == "table" and type(rule.name) == "string" and " (" .. rule.name .. ")" or ""
  error(string.format("rule %d%s: ", number, name) .. string.format(form, ...), 0)
end

local function check_rule(number, rule, params)
  if type(rule) ~= "table" then refuse(number, rule, "a %s; allowed: a table", type(rule)) end
  for key in pairs(rule) do
    if key ~= "name" and key ~= "values" and key ~= "when" and key ~= "around" then
      refuse(number, rule, "a field '%s'; allowed: name, values, when, around", tostring(key))
    end
  end
  if type(rule.name) ~= "string" then refuse(number, rule, "its name is a %s; allowed: a text", type(rule.name)) end
  local special = rule.name == "isa" or rule.name == "compiler" or rule.name == "plans"
  if not special and not params[rule.name] then
    refuse(number, rule, "no such name; allowed: isa, compiler, plans, and the parameters of plans")
  end
  local when, values = type(rule.when), type(rule.values)
  if when ~= "nil" and when ~= "function" then refuse(number, rule, "when is a %s; allowed: a function", when) end
  if rule.around ~= nil and type(rule.around) ~= "boolean" then
    refuse(number, rule, "around is a %s; allowed: true, false", type(rule.around))
  end
  if rule.around and rule.name == "isa" then refuse(number, rule, "no name for what is tried around plans") end
  if values ~= "table" and values ~= "function" then
    refuse(number, rule, "values is a %s; allowed: a list, or a function that returns one", values)
  end
end

function check(rules, params)
  if type(rules) ~= "table" then error("'rules' is a " .. type(rules) .. "; allowed: a list of rules", 0) end
  for number, rule in ipairs(rules) do check_rule(number, rule, params) end
end

local function values_of(number, rule, problem, device, plan)
  if rule.when and not rule.when(problem, device, plan) then return {} end
  local values = rule.values
  if type(values) == "function" then values = values(problem, device, plan) end
  if type(values) ~= "table" then refuse(number, rule, "values() returned a %s; allowed: a list", type(values)) end
  return values
end

local function texts_of(number, rule, problem, device, plan)
  local list = values_of(number, rule, problem, device, plan)
  for _, text in ipairs(list) do
    if type(text) ~= "string" then refuse(number, rule, "a value that is a %s; allowed: texts", type(text)) end
  end
  return list
end

-- Names of instruction sets that are looked at beside the usual one.
function isas(rules, problem, device)
  local list = {}
  for number, rule in ipairs(rules) do
    if rule.name == "isa" then
      for _, isa in ipairs(texts_of(number, rule, problem, device)) do table.insert(list, isa) end
    end
  end
  return list
end

local function copy(plan)
  local p = {}
  for key, value in pairs(plan) do p[key] = value end
  return p
end

local widen = {}

function widen.isa(number, rule, variant) return { variant } end

function widen.plans(number, rule, variant, problem, device)
  local list = rule.around and {} or { variant }
  for _, plan in ipairs(values_of(number, rule, problem, device, variant.plan)) do
    if type(plan) ~= "table" then refuse(number, rule, "a plan that is a %s; allowed: tables", type(plan)) end
    table.insert(list, { plan = plan, compiler = variant.compiler })
  end
  return list
end

function widen.compiler(number, rule, variant, problem, device)
  local list = { variant }
  for _, compiler in ipairs(texts_of(number, rule, problem, device, variant.plan)) do
    table.insert(list, { plan = variant.plan, compiler = compiler })
  end
  return list
end

-- A value as plans have it: the name of one that has a name.
local function value_of(number, rule, value, param)
  local names = param.values
  if math.type(value) == "integer" and value >= param.lo and value <= param.hi then
    return names and names[value - param.lo + 1] or value
  end
  for _, name in ipairs(names or {}) do
    if value == name then return value end
  end
  refuse(number, rule, "value %s; allowed: %s", tostring(value),
         names and table.concat(names, ", ") or string.format("%d .. %d", param.lo, param.hi))
end

local function widen_parameter(number, rule, variant, problem, device, param)
  if variant.plan[param.name] and not rule.around then return { variant } end
  local list = {}
  for _, given in ipairs(values_of(number, rule, problem, device, variant.plan)) do
    local value = value_of(number, rule, given, param)
    local plan = copy(variant.plan)
    plan[param.name] = value ~= param.preset and value or nil
    table.insert(list, { plan = plan, compiler = variant.compiler })
  end
  return #list > 0 and list or { variant }
end

local function variants_of(plan, rules, problem, device, params)
  local list = { { plan = plan } }
  for number, rule in ipairs(rules) do
    local wider = {}
    for _, variant in ipairs(list) do
      local widened = widen[rule.name] or widen_parameter
      local more = rule.around and { variant } or widened(number, rule, variant, problem, device, params[rule.name])
      for _, v in ipairs(more) do table.insert(wider, v) end
    end
    if #wider > MOST then refuse(number, rule, "more than %d variants of one plan; allowed: %d", MOST, MOST) end
    list = wider
  end
  return list
end

-- For each plan its variants: { plan = ..., compiler = ... or nil }.
function expand(rules, problem, device, plans, params)
  local result = {}
  for i, plan in ipairs(plans) do result[i] = variants_of(plan, rules, problem, device, params) end
  return result
end

-- One change at a time of each plan, the first of each rule before the second of any.
function around(rules, problem, device, plans, params)
  local result = {}
  for i, plan in ipairs(plans) do
    local lists, longest = {}, 0
    for number, rule in ipairs(rules) do
      if rule.around then
        local widened = widen[rule.name] or widen_parameter
        local list = widened(number, rule, { plan = plan }, problem, device, params[rule.name])
        table.insert(lists, list)
        longest = math.max(longest, #list)
      end
    end
    result[i] = {}
    for k = 1, longest do
      for _, list in ipairs(lists) do table.insert(result[i], list[k]) end
    end
  end
  return result
end
