import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import type { Test } from 'tap'

/** What the Chromium of a machine may be called. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The path of a Chromium on this machine; undefined when there is none. */
function findChromium (): string | undefined {
  const candidates = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  return [process.env.CHROMIUM ?? '', ...candidates].find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return path !== ''
    } catch {
      return false
    }
  })
}

/** For the options of a test that needs a browser: why it is skipped, or false. */
export const noBrowser =
  findChromium() === undefined &&
  'no Chromium on PATH (Debian: apt-get install chromium), and CHROMIUM does not name one'

/** What a page did that no page of ours may do. */
export interface Watch {
  /** Errors in its console, violations of its CSP among them, and exceptions that nothing caught. */
  errors: string[]
  /** Addresses that it asked for, other than those of its own hosts. */
  elsewhere: string[]
}

/** Names that lead to this machine, for a page that is not on localhost. */
const HOSTS = ['127.0.0.1', 'petstore.test', 'shop.test']

/** A real Chromium, one for all tests of a file. Ends with them; undefined where there is none. */
export async function startBrowser (t: Pick<Test, 'teardown'>): Promise<Browser | undefined> {
  const executablePath = findChromium()
  if (executablePath === undefined) return undefined
  const browser = await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--host-resolver-rules=MAP petstore.test 127.0.0.1, MAP shop.test 127.0.0.1'
    ]
  })
  t.teardown(() => browser.close())
  return browser
}

/** A page in a fresh profile, watched. Closed with the test. Transitions would only take time, so it has none. */
export async function openPage (
  t: Test,
  browser: Browser | undefined,
  { width = 1280, permissions = [] as string[] } = {}
): Promise<{ page: Page; watch: Watch }> {
  const context = await browser!.newContext({ viewport: { width, height: 900 }, permissions, reducedMotion: 'reduce' })
  t.teardown(() => context.close())
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const watch: Watch = { errors: [], elsewhere: [] }
  page.on('console', (message) => {
    if (message.type() === 'error') watch.errors.push(message.text())
  })
  page.on('pageerror', (error) => watch.errors.push(String(error)))
  page.on('request', (request) => {
    const { hostname, protocol } = new URL(request.url())
    if (protocol !== 'data:' && !HOSTS.includes(hostname)) watch.elsewhere.push(request.url())
  })
  return { page, watch }
}
