import { Counter, Gauge, type LabelValues, type Registry } from 'prom-client'

interface CollectedOptions<Label extends string> {
  name: string
  help: string
  labelNames?: readonly Label[]
  /** Gives the values of now; what is not among them is not shown. */
  read: () => Iterable<Sample<Label>> | Promise<Iterable<Sample<Label>>>
}

type Sample<Label extends string> = [labels: LabelValues<Label>, value: number]

/** Makes a counter whose values are read when somebody asks for the metrics, and so cost nothing before. */
export function collectedCounter<Label extends string = never> (
  registry: Registry,
  { name, help, labelNames = [], read }: CollectedOptions<Label>
): Counter<Label> {
  return new Counter<Label>({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect () {
      const samples = await read()
      this.reset()
      for (const [labels, value] of samples) this.inc(labels, value)
    }
  })
}

/** Makes a gauge whose values are read when somebody asks for the metrics. */
export function collectedGauge<Label extends string = never> (
  registry: Registry,
  { name, help, labelNames = [], read }: CollectedOptions<Label>
): Gauge<Label> {
  return new Gauge<Label>({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect () {
      const samples = await read()
      this.reset()
      // Without labels, a reset sets it to zero.
      if (labelNames.length === 0) this.remove()
      for (const [labels, value] of samples) this.set(labels, value)
    }
  })
}
