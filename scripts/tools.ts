#!/usr/bin/env tsx
// Installs the packages of tools/, unless they are there.
import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOptions } from './command/arguments.js'
import { INSTALLED, isInstalled, TOOLS } from './tools/folder.js'

readOptions(
  'Usage: npm run tools\n\nInstalls what only the thorough tests and checks need, where it is not installed yet.',
  {}
)

if (!isInstalled()) {
  console.error('Installing the tools of the thorough tests and checks, once ...')
  const { status } = spawnSync('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: TOOLS,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  if (status === 0) copyFileSync(join(TOOLS, 'package-lock.json'), INSTALLED)
  else {
    console.error(
      'The tools could not be installed. They come from the npm registry, which must be reachable this once.'
    )
    process.exitCode = 1
  }
}
