import type { Registry } from 'prom-client'

/** What one combination of labels has observed. It is looked up once and kept by whoever observes. */
export class Observations {
  readonly labels: Record<string, string>
  readonly #bounds: readonly number[]
  /** How many values lay in each bucket and in none before it; the last is of those above all bounds. */
  readonly counts: number[]
  sum = 0

  constructor (labels: Record<string, string>, bounds: readonly number[]) {
    this.labels = labels
    this.#bounds = bounds
    this.counts = new Array<number>(bounds.length + 1).fill(0)
  }

  /** Counts a value. */
  observe (value: number): void {
    let bucket = 0
    while (bucket < this.#bounds.length && value > this.#bounds[bucket]!) bucket++
    this.counts[bucket]!++
    this.sum += value
  }
}

interface HistogramOptions {
  name: string
  help: string
  /** The upper bounds of the buckets, in rising order. */
  bounds: readonly number[]
  registry: Registry
}

/**
 * A histogram of Prometheus that costs a request next to nothing: the one of prom-client checks and hashes the labels
 * of each value.
 */
export class Histogram {
  readonly name: string
  readonly help: string
  readonly #bounds: readonly number[]
  readonly #all: Observations[] = []

  constructor ({ name, help, bounds, registry }: HistogramOptions) {
    this.name = name
    this.help = help
    this.#bounds = bounds
    // A registry asks a metric for nothing but its name, and for what `get` gives.
    registry.registerMetric(this as unknown as Parameters<Registry['registerMetric']>[0])
  }

  /** Makes a combination of labels, for which there may be none yet. */
  add (labels: Record<string, string>): Observations {
    const observations = new Observations(labels, this.#bounds)
    this.#all.push(observations)
    return observations
  }

  /** Gives the values in the form of prom-client: the buckets count all values up to their bounds. */
  get () {
    return {
      name: this.name,
      help: this.help,
      type: 'histogram',
      aggregator: 'sum',
      values: this.#all.flatMap((observations) => this.#valuesOf(observations))
    }
  }

  #valuesOf ({ labels, counts, sum }: Observations) {
    let count = 0
    const buckets = counts.map((inBucket, index) => {
      count += inBucket
      const le = String(this.#bounds[index] ?? '+Inf')
      return { metricName: `${this.name}_bucket`, labels: { ...labels, le }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: count }
    ]
  }
}
