/** Executes the steps of the Dockerfile without an engine: each stage becomes a directory. */
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listFiles } from '../source.ts';
import { makeBareRoot } from './bare-root.ts';
import { runCommand } from './command.ts';
import { changeBy, configOf, type ImageConfig, type ImageStep, type Stage, stageOf } from './dockerfile.ts';

/** The steps that change the file system. The others say how the image is run. */
const CHANGING = ['ADD', 'COPY', 'RUN', 'WORKDIR'];

/** The build of one Dockerfile, below a directory of its own. */
export class ImageBuild {
  /** The directories of the images and stages that are there. */
  private readonly made = new Map<string, string>();
  private readonly stages: readonly Stage[];
  private readonly context: string;
  private readonly directory: string;

  /**
   * @param context the directory that is built from: all of it that git would take
   * @param directory where the stages come; images of a registry that lie there are used again
   */
  constructor(stages: readonly Stage[], context: string, directory: string) {
    this.stages = stages;
    this.context = context;
    this.directory = directory;
  }

  /** Returns the root directory of a stage, after its steps. */
  rootOf(name: string): string {
    const known = this.made.get(name);
    if (known !== undefined) return known;
    const built = this.build(name);
    this.made.set(name, built);
    return built;
  }

  /** Returns a new volume, with what the image has at its place. Only the user of the image can read it. */
  volumeOf(name: string): string {
    const [place = ''] = configOf(this.stages, name).volumes;
    const volume = join(this.directory, `volume-${name}`);
    rmSync(volume, { recursive: true, force: true });
    runCommand(['cp', '-a', join(this.rootOf(name), place), volume]);
    return volume;
  }

  private build(name: string): string {
    if (!this.stages.some((stage) => stage.name === name)) return this.imageOf(name);
    const { from, steps } = stageOf(this.stages, name);
    const below = this.rootOf(from);
    // A stage that only says how it is run has the files of the one below.
    if (!steps.some(({ keyword }) => CHANGING.includes(keyword))) return below;
    const root = join(this.directory, name);
    rmSync(root, { recursive: true, force: true });
    runCommand(['cp', '-a', '--reflink=auto', below, root]);
    let config = configOf(this.stages, from);
    for (const step of steps) {
      this.execute(step, root, config);
      config = { ...config, ...changeBy(step, config) };
    }
    return root;
  }

  private imageOf(image: string): string {
    const root = join(this.directory, image.replace(/\W/g, '-'));
    if (!existsSync(root)) makeBareRoot(root, image);
    return root;
  }

  /** @throws Error for a step that is not known here */
  private execute(step: ImageStep, root: string, config: ImageConfig): void {
    switch (step.keyword) {
      case 'WORKDIR':
        mkdirSync(join(root, step.text), { recursive: true });
        return;
      case 'COPY':
        this.copy(step, root, config);
        return;
      case 'RUN':
        runIn(root, step.text, config);
        return;
      case 'ADD':
        throw new Error(`Only COPY is known here, not ADD ${step.text}.`);
      default:
    }
  }

  private copy({ text, flags }: ImageStep, root: string, config: ImageConfig): void {
    const [source = '', target = ''] = text.split(/\s+/);
    const to = join(root, target.startsWith('/') ? target : join(config.workdir, target));
    mkdirSync(to, { recursive: true });
    if (flags.from !== undefined) runCommand(['cp', '-a', `${join(this.rootOf(flags.from), source)}/.`, to]);
    else
      for (const file of listFiles(join(this.context, source))) {
        mkdirSync(dirname(join(to, file)), { recursive: true });
        cpSync(join(this.context, source, file), join(to, file));
      }
    if (flags.chown !== undefined) runCommand(['chown', '-R', flags.chown, to]);
  }
}

/** What an engine hands on to the steps of a build. */
const HANDED_ON = /^(?:https?_proxy|no_proxy|npm_config_registry)$/i;
const EXTRA_CA = 'NODE_EXTRA_CA_CERTS';

/** Runs a command of a step inside, with the network of this machine and the authorities that Node trusts. */
function runIn(root: string, command: string, { env, workdir, user }: ImageConfig): void {
  const handed = Object.entries(process.env).filter(([name]) => HANDED_ON.test(name)) as [string, string][];
  copyFileSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'));
  const words = [
    ...['unshare', '--mount', '--pid', '--fork', '--kill-child'],
    ...['chroot', `--userspec=${user}`, root],
    ...['/bin/sh', '-c', `mount -t proc proc /proc && cd ${workdir} && ${command}`],
  ];
  const authorities = join(root, 'tmp/authorities.pem');
  const extra = process.env[EXTRA_CA];
  if (extra) copyFileSync(extra, authorities);
  runCommand(words, {
    ...Object.fromEntries(handed),
    ...(extra && { [EXTRA_CA]: '/tmp/authorities.pem' }),
    ...env,
    HOME: '/root',
  });
  rmSync(authorities, { force: true });
}
