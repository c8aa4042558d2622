import type { ApiError } from 'petstore-api-types'
import type { ResponseError } from 'petstore-api-types/client'
import { useEffect, useMemo, useState } from 'react'

/** Counts the seconds down to an instant, and calls `onEnd` when it has come. */
export function Countdown ({ until, onEnd }: { until: number; onEnd?: (() => void) | undefined }) {
  const [now, setNow] = useState(Date.now)
  const seconds = Math.max(0, Math.ceil((until - now) / 1_000))
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (seconds === 0) onEnd?.()
  }, [seconds === 0])
  return <>Trying again in <strong className='seconds'>{seconds}</strong> s.</>
}

/**
 * Tells of an error, with the sentence of the service where there is one. When the service asks for a wait that is too
 * long for the client, it counts down to its end, when `onEnd` may try again.
 */
export function Failure ({ error, onEnd }: { error: ResponseError<ApiError> | null; onEnd?: () => void }) {
  const until = useMemo(() => endOfWait(error), [error])
  if (!error) return null
  // What fails before there is an answer, as without a network, is no ResponseError.
  if (!error.response) return <p role='alert'>The service cannot be reached.</p>
  return (
    <p role='alert'>
      {error.message} {until !== undefined && onEnd && <Countdown until={until} onEnd={onEnd} />}
    </p>
  )
}

function endOfWait (error: ResponseError<ApiError> | null): number | undefined {
  const seconds = error?.response?.headers.get('Retry-After')
  return seconds ? Date.now() + Number(seconds) * 1_000 : undefined
}
