"""The table's voice: what a good host would say, spoken by whatever this machine has.

`table_voice.Voice` listens to a session and is all that the callers use. What is said comes from
public views (`script`); it waits in a queue for each output (`channel`) and is spoken by a child
process with a timeout (`backends`, `child`). Nothing here blocks on sound.
"""
