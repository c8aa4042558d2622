/** Where the guide says that the service is; who asks for the guide reads the address that they asked at. */
export const GUIDE_ADDRESS = 'http://127.0.0.1:3000/v1'

/** Gives the guide in Markdown with the address of the service in its samples. */
export function guideText (text: string, address: string): string {
  return text.replaceAll(GUIDE_ADDRESS, () => address)
}
