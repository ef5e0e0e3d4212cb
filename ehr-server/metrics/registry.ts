/**
 * Exposes the counts through prom-client. It is loaded with the first request, so that no start waits for it.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Buckets, Counts, Tally } from './counts.ts';

export type Exposed = {
  counts: Counts;
  /** Connections that are open now, by channel. */
  connections: () => ReadonlyMap<string, number>;
  build: { version: string; engine: string };
};

/** One registry for all servers of a process: its metrics describe the process. */
const processRegistry = new Registry();
collectDefaultMetrics({ register: processRegistry });

/** Create the registry of one server and its process. */
export function createRegistry({ counts, connections, build }: Exposed): Registry {
  const registry = new Registry();
  for (const counter of countersOf(counts)) addCounter(registry, counter);
  registry.registerMetric(
    new CountedHistogram({
      name: 'ehr_call_duration_seconds',
      help: 'Time from a call read to its reply written, the commit included, by method.',
      label: 'method',
      buckets: counts.durations,
    }),
  );
  registry.registerMetric(
    new CountedHistogram({
      name: 'ehr_commit_group_size',
      help: 'How many writes were committed together.',
      buckets: new Map([['', counts.commitSizes]]),
    }),
  );
  addGauges(registry, connections, build);
  return Registry.merge([registry, processRegistry]);
}

type Sample = readonly [labels: Record<string, string>, value: number];
type CounterOptions = { name: string; help: string; labelNames: string[]; samples: () => readonly Sample[] };

/** The counters: calls, what reached no method, failures of the store, and purged rows. */
function countersOf(counts: Counts): CounterOptions[] {
  const samplesOf = (label: string, tally: Tally) => () =>
    [...tally].map(([value, count]): Sample => [{ [label]: value }, count]);
  return [
    {
      name: 'ehr_calls_total',
      help: 'JSON-RPC calls by method, channel and outcome: ok, or the reason of the refusal.',
      labelNames: ['method', 'channel', 'outcome'],
      samples: () => samplesOfCalls(counts.calls),
    },
    {
      name: 'ehr_http_faults_total',
      help: 'Requests that ended as a transport fault and reached no method, by HTTP status.',
      labelNames: ['status'],
      samples: samplesOf('status', counts.httpErrors),
    },
    {
      name: 'ehr_rate_limited_total',
      help: 'Requests turned away because there were too many, by what was asked for too often.',
      labelNames: ['limited'],
      samples: samplesOf('limited', counts.rateLimited),
    },
    {
      name: 'ehr_store_errors_total',
      help: 'Operations of the store that failed, by operation.',
      labelNames: ['operation'],
      samples: samplesOf('operation', counts.storeErrors),
    },
    {
      name: 'ehr_purged_rows_total',
      help: 'Rows deleted because they ran out long ago.',
      labelNames: [],
      samples: () => [[{}, counts.purged]],
    },
  ];
}

function samplesOfCalls(calls: Counts['calls']): Sample[] {
  return [...calls].flatMap(([method, channels]) =>
    Object.entries(channels).flatMap(([channel, tally]) =>
      [...tally].map(([outcome, value]): Sample => [{ method, channel, outcome }, value]),
    ),
  );
}

/** Add a counter whose values are counted elsewhere. */
function addCounter(registry: Registry, { name, help, labelNames, samples }: CounterOptions): void {
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      this.reset();
      for (const [labels, value] of samples()) this.inc(labels, value);
    },
  });
}

function addGauges(registry: Registry, connections: Exposed['connections'], build: Exposed['build']): void {
  new Gauge({
    name: 'ehr_open_connections',
    help: 'Connections that are open now, by channel.',
    labelNames: ['channel'],
    registers: [registry],
    collect() {
      for (const [channel, open] of connections()) this.set({ channel }, open);
    },
  });
  new Gauge({
    name: 'ehr_build_info',
    help: 'Always 1; the labels tell which version runs, and on which engine.',
    labelNames: Object.keys(build),
    registers: [registry],
  }).set(build, 1);
}

type HistogramOptions = { name: string; help: string; label?: string; buckets: ReadonlyMap<string, Buckets> };

/** Histogram of values counted elsewhere. prom-client cannot import counts, so the read is overridden. */
class CountedHistogram extends Histogram<string> {
  readonly #options: HistogramOptions;

  constructor(options: HistogramOptions) {
    const { name, help, label } = options;
    super({ name, help, labelNames: label === undefined ? [] : [label], registers: [] });
    this.#options = options;
  }

  /** The data from which prom-client writes the histogram in every format. */
  async getForPromString() {
    const { name, help, buckets } = this.#options;
    const values = [...buckets].flatMap(([value, counted]) => this.#valuesOf(value, counted));
    return { name, help, type: 'histogram', values, aggregator: 'sum' };
  }

  #valuesOf(value: string, { bounds, counts, sum }: Buckets) {
    const { name, label } = this.#options;
    const labels = label === undefined ? {} : { [label]: value };
    let total = 0;
    const classes = counts.map((count, index) => {
      total += count;
      return {
        metricName: `${name}_bucket`,
        labels: { ...labels, le: bounds[index] ?? '+Inf' },
        value: total,
      };
    });
    return [
      ...classes,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: total },
    ];
  }
}
