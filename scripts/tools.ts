#!/usr/bin/env tsx
// Installs the packages of tools/ and of the page of the thorough tests, unless they are there.
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { readOptions } from './command/arguments.js'
import { installedLockOf, isInstalled, TOOLS, WEB } from './tools/folder.js'

readOptions(
  'Usage: npm run tools\n\nInstalls what only the thorough tests and checks need, where it is not installed yet.',
  {}
)

for (const folder of [TOOLS, WEB].filter((folder) => !isInstalled(folder))) {
  console.error(`Installing ${relative('.', folder)}, for thorough tests and checks, once ...`)
  const { status } = spawnSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  if (status === 0) copyFileSync(join(folder, 'package-lock.json'), installedLockOf(folder))
  else {
    console.error('They could not be installed. They come from the npm registry, which must be reachable this once.')
    process.exitCode = 1
  }
}
