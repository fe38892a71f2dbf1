@echo off
rem Double-click this file on Windows: it installs what is missing into this folder and starts the companion.
cd /d "%~dp0"
where py >nul 2>nul && (py -3 scripts\play.py %* & goto end)
where python >nul 2>nul && (python scripts\play.py %* & goto end)
echo The companion needs Python 3.11 or newer. Install it from python.org, then double-click this file again.
pause
exit /b 1
:end
if errorlevel 1 pause
