;;; Opens a program that hangs with eglot, and looks at what the editor shows: CUDALINT is the binary, PROJECT the folder.

(require 'cl-lib)
(require 'project)
(unless (require 'eglot nil t)
  (message "emacs: skipped, this one comes without eglot")
  (kill-emacs 77))
(require 'flymake)

(define-derived-mode cuda-mode c++-mode "CUDA")
(add-to-list 'auto-mode-alist '("\\.cuh?\\'" . cuda-mode))
(add-to-list 'eglot-server-programs
             `((cuda-mode :language-id "cuda") . (,(getenv "CUDALINT") "server")))
(setq eglot-sync-connect t eglot-connect-timeout 120 eglot-autoshutdown t
      eglot-confirm-server-initiated-edits nil
      eglot-confirm-server-edits nil)

(defun fail (what &rest arguments)
  (message "emacs: %s" (apply #'format what arguments))
  (kill-emacs 1))

(defun await (what is-so)
  "Run what the server sends until IS-SO holds, or fail and name WHAT."
  (let ((end (+ (float-time) 120)))
    (while (not (funcall is-so))
      (when (> (float-time) end) (fail "never: %s" what))
      (accept-process-output nil 0.05))))

(let* ((root (file-name-as-directory (getenv "PROJECT")))
       (project-find-functions (list (lambda (_) (cons 'transient root)))))
  (find-file (concat root "a.cu"))
  (call-interactively #'eglot)
  (unless (eglot-managed-p) (fail "eglot does not manage the buffer"))
  ;; Without a screen nothing is idle: the checks of flymake are asked for.
  (flymake-mode 1)
  (flymake-start)
  (await "a diagnostic" (lambda () (flymake-start) (flymake-diagnostics)))
  (let* ((found (car (flymake-diagnostics)))
         (marked (buffer-substring (flymake-diagnostic-beg found) (flymake-diagnostic-end found))))
    (unless (string-match-p "\\`open_gate<<<" marked) (fail "the diagnostic marks `%s'" marked))
    (unless (string-match-p "CL102" (flymake-diagnostic-text found))
      (fail "the diagnostic says %s" (flymake-diagnostic-text found)))
    (let* ((server (eglot--current-server-or-lose))
           (position (progn (goto-char (flymake-diagnostic-beg found)) (eglot--TextDocumentPositionParams)))
           (hover (jsonrpc-request server :textDocument/hover position))
           (contents (plist-get hover :contents)))
      (unless (string-match-p "spin-without-preload" (format "%s" contents))
        (fail "hovering says %s" contents))
      (let* ((at (list :start (plist-get position :position) :end (plist-get position :position)))
             (actions (append (jsonrpc-request server :textDocument/codeAction
                                               (list :textDocument (eglot--TextDocumentIdentifier)
                                                     :range at
                                                     :context (list :diagnostics [] :only ["quickfix"])))
                              nil))
             (fix (cl-find-if (lambda (it) (string-match-p "fix" (downcase (plist-get it :title)))) actions)))
        (unless fix (fail "no fix among %s" actions))
        ;; What the menu of actions does: since Emacs 30 a function of eglot's.
        (if (fboundp 'eglot-execute)
            (eglot-execute server fix)
          (eglot--apply-workspace-edit (plist-get (if (plist-get fix :edit) fix
                                                    (jsonrpc-request server :codeAction/resolve fix))
                                                  :edit)))
        ;; What eglot does when nobody types.
        (eglot--signal-textDocument/didChange)
        (await "an end of the hang after the fix"
               (lambda () (flymake-start)
                 (cl-notany (lambda (it) (string-match-p "CL102" (flymake-diagnostic-text it))) (flymake-diagnostics))))
        (let ((save-silently t)) (save-buffer)))))
  (message "emacs %s: a diagnostic, hovering, a fix" emacs-version)
  (kill-emacs 0))
