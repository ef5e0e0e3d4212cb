/** Chooses free ports for the parties of a run, so that two runs on one machine do not collide. */
import { freePorts } from '#service/http/listener/free-ports.ts';

export type Ports = Readonly<Record<string, number>>;

/** Replaces each port 0 by a free port. Other ports stay. */
export async function choosePorts(given: Ports): Promise<Record<string, number>> {
  const free = await freePorts(Object.values(given).filter((port) => port === 0).length);
  return Object.fromEntries(
    Object.entries(given).map(([name, port]) => [name, port === 0 ? (free.pop() as number) : port]),
  );
}

/** Replaces every `${ports.NAME}` in the texts of a section, at any depth. Returns a copy. */
export function withPorts<T>(section: T, ports: Ports): T {
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string')
      return value.replaceAll(PORT, (whole, name) => (name === undefined ? whole : String(ports[name])));
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, filled(member)]));
  };
  return filled(section) as T;
}

/** Matches `${ports.NAME}`, and also `$${`, the escape of a literal `${`, which stays as it is. */
const PORT = /\$\$\{|\$\{ports\.(\w+)\}/g;
