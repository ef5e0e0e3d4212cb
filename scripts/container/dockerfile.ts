/** Reads the Dockerfile: the steps of each stage, and how the image of a stage is run. */
import { DockerfileParser, Env, type From, type Instruction, ModifiableInstruction } from 'dockerfile-ast';

/** One instruction, such as `COPY --from=package /app /app`. */
export type ImageStep = {
  readonly keyword: string;
  readonly flags: Readonly<Record<string, string>>;
  /** What follows the flags, as it is written. */
  readonly text: string;
  /** Of `ENV`: the variables as they are written. */
  readonly env: Readonly<Record<string, string>>;
};

export type Stage = {
  readonly name: string;
  /** Another stage, or an image of a registry. */
  readonly from: string;
  readonly steps: readonly ImageStep[];
};

/** How an engine runs an image. */
export type ImageConfig = {
  readonly env: Readonly<Record<string, string>>;
  /** User and group. */
  readonly user: string;
  readonly workdir: string;
  readonly entrypoint: readonly string[];
  /** Undefined: none, or switched off. */
  readonly healthcheck: readonly string[] | undefined;
  readonly stopSignal: string;
  readonly ports: readonly number[];
  readonly volumes: readonly string[];
};

/** What the image of Node says of itself, as far as it matters here. */
const OF_NODE: ImageConfig = {
  env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' },
  user: '0:0',
  workdir: '/',
  entrypoint: [],
  healthcheck: undefined,
  stopSignal: 'SIGTERM',
  ports: [],
  volumes: [],
};

/** @throws Error when a stage has no name */
export function readStages(text: string): Stage[] {
  const stages: (Stage & { steps: ImageStep[] })[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    if (instruction.getKeyword() !== 'FROM') {
      stages.at(-1)?.steps.push(stepOf(instruction));
      continue;
    }
    const from = instruction as From;
    const name = from.getBuildStage();
    if (name === null) throw new Error(`A stage has no name: ${from}`);
    stages.push({ name, from: from.getImage() ?? '', steps: [] });
  }
  return stages;
}

/** @throws Error when there is no such stage */
export function stageOf(stages: readonly Stage[], name: string): Stage {
  const found = stages.find((stage) => stage.name === name);
  if (!found) throw new Error(`The Dockerfile has no stage ${name}.`);
  return found;
}

/** Returns the stages that a stage stands on, the lowest first, and the stage itself. An image has none. */
export function stagesBelow(stages: readonly Stage[], name: string): Stage[] {
  const stage = stages.find((other) => other.name === name);
  return stage ? [...stagesBelow(stages, stage.from), stage] : [];
}

/** Returns how the image of a stage is run: by what the stages below it say, and what it says itself. */
export function configOf(stages: readonly Stage[], name: string): ImageConfig {
  const config = { ...OF_NODE };
  for (const { steps } of stagesBelow(stages, name))
    for (const step of steps) Object.assign(config, changeBy(step, config));
  return config;
}

/** Returns the settings with what a step changes in them. */
export function changeBy({ keyword, text, env }: ImageStep, config: ImageConfig): Partial<ImageConfig> {
  switch (keyword) {
    case 'ENV':
      return { env: { ...config.env, ...expanded(env, config.env) } };
    case 'USER':
      return { user: text };
    case 'WORKDIR':
      return { workdir: text };
    case 'STOPSIGNAL':
      return { stopSignal: text };
    case 'VOLUME':
      return { volumes: [...config.volumes, ...text.split(/\s+/)] };
    case 'EXPOSE':
      return { ports: [...config.ports, ...text.split(/\s+/).map(Number)] };
    case 'ENTRYPOINT':
      return { entrypoint: wordsOf(text) };
    case 'HEALTHCHECK':
      return { healthcheck: text === 'NONE' ? undefined : wordsOf(text.replace(/^CMD\s+/, '')) };
    default:
      return {};
  }
}

function stepOf(instruction: Instruction): ImageStep {
  const flags = instruction instanceof ModifiableInstruction ? instruction.getFlags() : [];
  const pairs = instruction instanceof Env ? instruction.getProperties() : [];
  return {
    keyword: instruction.getKeyword(),
    text: instruction.getArgumentsContent() ?? '',
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
    env: Object.fromEntries(pairs.map((pair) => [pair.getName(), pair.getValue() ?? ''])),
  };
}

/** Returns variables with those that they name, such as `$PATH`, put in. */
function expanded(env: ImageStep['env'], known: ImageConfig['env']): Record<string, string> {
  const put = (value: string) => value.replace(/\$(\w+)/g, (_all, name: string) => known[name] ?? '');
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, put(value)]));
}

/**
 * Returns the words of the exec form, `["node", "-v"]`.
 * @throws Error for the shell form, in which a shell would take the signals
 */
function wordsOf(text: string): string[] {
  if (!text.startsWith('[')) throw new Error(`Not in the exec form: ${text}`);
  return JSON.parse(text) as string[];
}
