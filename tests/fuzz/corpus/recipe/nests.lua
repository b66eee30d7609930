local function f() return f() + 1 end
function applies() return f() end
function plans() return {} end
