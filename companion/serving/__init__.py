"""The browser view: the caller's own screen in a browser, here or in the table's network.

`guard` decides who may enter, `pages` is what a browser is sent, `server` brings the two and a
caller for each tab together. Needs the extra `serve`; `companion.commands.serve` alone loads it.
"""
