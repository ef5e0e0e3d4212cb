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

  addCalls(registry, counts);
  registry.registerMetric(
    new CountedHistogram({
      name: 'ehr_call_duration_seconds',
      help: 'Time from a call read to its reply written, the commit included, by method.',
      label: 'method',
      buckets: counts.durations,
    }),
  );
  addFailures(registry, counts);
  registry.registerMetric(
    new CountedHistogram({
      name: 'ehr_commit_group_size',
      help: 'How many writes were committed together.',
      buckets: new Map([['', counts.commitSizes]]),
    }),
  );
  new Counter({
    name: 'ehr_purged_rows_total',
    help: 'Rows deleted because they ran out long ago.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(counts.purged);
    },
  });
  addGauges(registry, connections, build);
  return Registry.merge([registry, processRegistry]);
}

/** Add the requests that reached no method, and the operations of the store that failed. */
function addFailures(registry: Registry, counts: Counts): void {
  addTally(registry, {
    name: 'ehr_http_faults_total',
    help: 'Requests that ended as a transport fault and reached no method, by HTTP status.',
    label: 'status',
    values: counts.httpErrors,
  });
  addTally(registry, {
    name: 'ehr_rate_limited_total',
    help: 'Requests turned away because there were too many, by what was asked for too often.',
    label: 'limited',
    values: counts.rateLimited,
  });
  addTally(registry, {
    name: 'ehr_store_errors_total',
    help: 'Operations of the store that failed, by operation.',
    label: 'operation',
    values: counts.storeErrors,
  });
}

function addCalls(registry: Registry, counts: Counts): void {
  new Counter({
    name: 'ehr_calls_total',
    help: 'JSON-RPC calls by method, channel and outcome: ok, or the reason of the refusal.',
    labelNames: ['method', 'channel', 'outcome'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [method, channels] of counts.calls) {
        for (const [channel, tally] of Object.entries(channels)) {
          for (const [outcome, value] of tally) this.inc({ method, channel, outcome }, value);
        }
      }
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

type TallyOptions = { name: string; help: string; label: string; values: Tally };

function addTally(registry: Registry, { name, help, label, values }: TallyOptions): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, count] of values) this.inc({ [label]: value }, count);
    },
  });
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
