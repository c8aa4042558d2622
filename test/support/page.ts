import type { Page } from '../../src/domain/pages.js'

/** A page without what tells whether it is current. */
export function contentOf<Item> ({ isCurrent: _, ...content }: Page<Item>): Page<Item> {
  return content
}
