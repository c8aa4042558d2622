/** A query of a panel: PromQL, and how its series are named. */
export type Query = [expression: string, legend: string]

/** A graph of the dashboard. */
export interface GraphOf {
  title: string
  /** The unit, by Grafana's name of it. */
  unit: string
  queries: Query[]
}

/** The metrics of the servers that are chosen at the top of the dashboard. */
const OF = 'job="petstore",instance=~"$instance"'

const rate = (metric: string, by: string, more = ''): string =>
  `sum by (${by}) (rate(${metric}{${OF}${more}}[$__rate_interval]))`
const quantile = (part: number, metric: string, by = ''): string =>
  `histogram_quantile(${part}, ${rate(`${metric}_bucket`, `${by && `${by}, `}le`)})`
const latest = (metric: string, more = ''): string => `${metric}{${OF}${more}}`

/** The graphs of the dashboard, by the rows in which they stand. */
export const ROWS: Record<string, GraphOf[]> = {
  Requests: [
    { title: 'Requests by operation', unit: 'reqps', queries: [[rate('petstore_requests_total', 'operation'), '{{operation}}']] },
    { title: 'Requests by status', unit: 'reqps', queries: [[rate('petstore_requests_total', 'status'), '{{status}}']] },
    { title: 'Requests by plan', unit: 'reqps', queries: [[rate('petstore_requests_total', 'plan'), '{{plan}}']] },
    {
      title: 'Share of 5xx',
      unit: 'percentunit',
      queries: [
        [
          `${rate('petstore_requests_total', 'instance', ',status=~"5.."')} / ${rate('petstore_requests_total', 'instance')}`,
          '{{instance}}'
        ]
      ]
    },
    {
      title: 'Latency',
      unit: 's',
      queries: [0.5, 0.9, 0.99].map((part): Query => [
        quantile(part, 'petstore_request_duration_seconds'),
        `p${part * 100}`
      ])
    },
    {
      title: 'Latency by operation, p99',
      unit: 's',
      queries: [[quantile(0.99, 'petstore_request_duration_seconds', 'operation'), '{{operation}}']]
    },
    {
      title: 'Requests refused early',
      unit: 'reqps',
      queries: [[rate('petstore_requests_refused_total', 'instance, reason'), '{{instance}} {{reason}}']]
    },
    {
      title: 'Requests with an Idempotency-Key',
      unit: 'reqps',
      queries: [[rate('petstore_idempotent_requests_total', 'outcome'), '{{outcome}}']]
    }
  ],
  Limits: [
    {
      title: 'Decisions on keys',
      unit: 'reqps',
      queries: [[rate('petstore_limit_decisions_total', 'plan, outcome'), '{{plan}} {{outcome}}']]
    },
    {
      title: 'Decisions on addresses',
      unit: 'reqps',
      queries: [[rate('petstore_address_decisions_total', 'outcome'), '{{outcome}}']]
    },
    { title: 'Bans', unit: 'ops', queries: [[rate('petstore_bans_total', 'plan, level'), '{{plan}}, level {{level}}']] }
  ],
  Storage: [
    {
      title: 'Storage latency by operation, p99',
      unit: 's',
      queries: [[quantile(0.99, 'petstore_storage_duration_seconds', 'engine, operation'), '{{engine}} {{operation}}']]
    },
    {
      title: 'Statements and transactions',
      unit: 'ops',
      queries: [[rate('petstore_storage_duration_seconds_count', 'engine, operation'), '{{engine}} {{operation}}']]
    },
    {
      title: 'Failures',
      unit: 'ops',
      queries: [[rate('petstore_storage_failures_total', 'engine, operation'), '{{engine}} {{operation}}']]
    },
    {
      title: 'Writes in a commit',
      unit: 'short',
      queries: [
        [quantile(0.5, 'petstore_commit_writes'), 'p50'],
        [quantile(0.99, 'petstore_commit_writes'), 'p99']
      ]
    },
    { title: 'Waits for a lock, p99', unit: 's', queries: [[quantile(0.99, 'petstore_lock_wait_seconds'), 'p99']] },
    {
      title: 'Database and Redis',
      unit: 'bool_on_off',
      queries: [
        [latest('petstore_database_available'), '{{instance}} {{access}}'],
        [latest('petstore_redis_available'), '{{instance}} Redis']
      ]
    },
    {
      title: 'Connections to PostgreSQL',
      unit: 'short',
      queries: [[latest('petstore_postgresql_connections'), '{{instance}} {{state}}']]
    },
    { title: 'Age of the newest backup', unit: 's', queries: [[latest('petstore_backup_age_seconds'), '{{instance}}']] }
  ],
  Connections: [
    {
      title: 'Open connections',
      unit: 'short',
      queries: [
        [latest('petstore_connections'), '{{instance}}'],
        [latest('petstore_connections_max'), '{{instance}} at most']
      ]
    },
    {
      title: 'Refused, cut and abandoned connections',
      unit: 'cps',
      queries: ['refused', 'cut', 'abandoned'].map((what): Query => [
        rate(`petstore_connections_${what}_total`, 'instance'),
        `{{instance}} ${what}`
      ])
    },
    {
      title: 'What never became a request',
      unit: 'reqps',
      queries: [[rate('petstore_requests_unparsed_total', 'reason'), '{{reason}}']]
    },
    { title: 'Answers not taken', unit: 'bytes', queries: [[latest('petstore_untaken_bytes'), '{{instance}}']] }
  ],
  Process: [
    {
      title: 'Delay of the event loop',
      unit: 's',
      queries: ['p50', 'p99', 'max'].map((part): Query => [
        latest(`nodejs_eventloop_lag_${part}_seconds`),
        `{{instance}} ${part}`
      ])
    },
    {
      title: 'Processor time',
      unit: 'percentunit',
      queries: [[rate('process_cpu_seconds_total', 'instance'), '{{instance}}']]
    },
    {
      title: 'Heap',
      unit: 'bytes',
      queries: [
        [latest('nodejs_heap_size_used_bytes'), '{{instance}} used'],
        [latest('petstore_heap_limit_bytes'), '{{instance}} limit']
      ]
    },
    { title: 'Memory', unit: 'bytes', queries: [[latest('process_resident_memory_bytes'), '{{instance}}']] },
    {
      title: 'Garbage collection',
      unit: 'percentunit',
      queries: [[rate('nodejs_gc_duration_seconds_sum', 'instance, kind'), '{{instance}} {{kind}}']]
    },
    {
      title: 'File descriptors',
      unit: 'short',
      queries: [
        [latest('process_open_fds'), '{{instance}}'],
        [latest('process_max_fds'), '{{instance}} at most']
      ]
    }
  ]
}
