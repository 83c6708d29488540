-- Opens a program that hangs, and looks at what the editor shows: CUDALINT is the binary, PROJECT the folder.
local function fail(message)
  io.stderr:write("neovim: " .. message .. "\n")
  vim.cmd("cquit 1")
end

local function wait(what, is_so)
  if not vim.wait(120000, is_so, 50) then
    fail("never: " .. what)
  end
end

local function try()
  local project = vim.env.PROJECT
  vim.o.swapfile = false
  vim.cmd("edit " .. vim.fn.fnameescape(project .. "/a.cu"))
  local buffer = vim.api.nvim_get_current_buf()
  local client = vim.lsp.start_client({
    name = "cudalint",
    cmd = { vim.env.CUDALINT, "server" },
    root_dir = project,
    workspace_folders = { { uri = vim.uri_from_fname(project), name = "project" } },
  })
  if not client then
    fail("the server does not start")
  end
  vim.lsp.buf_attach_client(buffer, client)

  local function codes()
    return vim.tbl_map(function(it)
      return it.code
    end, vim.diagnostic.get(buffer))
  end

  wait("a diagnostic", function()
    return vim.deep_equal(codes(), { "CL102" })
  end)
  local found = vim.diagnostic.get(buffer)[1]
  local line = vim.api.nvim_buf_get_lines(buffer, found.lnum, found.lnum + 1, true)[1]
  local marked = line:sub(found.col + 1, found.end_col)
  if not marked:match("^open_gate<<<.*%)$") then
    fail("the diagnostic marks `" .. marked .. "`")
  end

  local function request(method, params)
    local answers = vim.lsp.buf_request_sync(buffer, method, params, 60000)
    local answer = answers and answers[client]
    if not answer or answer.err then
      fail(method .. ": " .. vim.inspect(answer))
    end
    return answer.result
  end

  vim.api.nvim_win_set_cursor(0, { found.lnum + 1, found.col })
  local params = vim.lsp.util.make_position_params(0, "utf-16")
  local hover = request("textDocument/hover", params)
  if not hover.contents.value:find("spin-without-preload", 1, true) then
    fail("hovering says " .. hover.contents.value)
  end

  local range = vim.lsp.util.make_range_params(0, "utf-16")
  range.context = { diagnostics = {} }
  local fix
  for _, action in ipairs(request("textDocument/codeAction", range)) do
    if action.title:find("^Unsafe fix") then
      fix = action
    end
  end
  if not fix then
    fail("there is no fix")
  end
  vim.lsp.util.apply_workspace_edit(fix.edit, "utf-16")
  wait("an end of the hang after the fix", function()
    return not vim.tbl_contains(codes(), "CL102")
  end)
  vim.cmd("silent write")

  local gone = false
  vim.lsp.stop_client(client)
  wait("the end of the server", function()
    gone = vim.lsp.client_is_stopped(client)
    return gone
  end)
  print("neovim: a diagnostic, a hover, a fix, and no hang after it\n")
end

local ok, problem = xpcall(try, debug.traceback)
if not ok then
  fail(problem)
end
vim.cmd("quitall!")
