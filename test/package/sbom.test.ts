import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './fresh-project.ts';

const LICENSES = ['THIRD-PARTY-LICENSES.txt', 'page/THIRD-PARTY-LICENSES.txt'];

const sbom = JSON.parse(readFileSync(join(ROOT, 'dist/sbom.cdx.json'), 'utf8'));
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

/** `name@version` of every package whose license is in the bundle. */
function licensedPackages(): string[] {
  const texts = LICENSES.map((file) => readFileSync(join(ROOT, 'dist', file), 'utf8'));
  const packages = texts.flatMap((text) =>
    [...text.matchAll(/^Name: (.+)\nVersion: (.+)$/gm)].map(([, name, version]) => `${name}@${version}`),
  );
  return [...new Set(packages)].sort();
}

describe('dist/sbom.cdx.json', () => {
  it('lists exactly the packages whose licenses are in the bundles', () => {
    const listed = sbom.components.map(
      ({ group, name, version }: Record<string, string>) =>
        `${group === undefined ? '' : `${group}/`}${name}@${version}`,
    );
    expect(listed.length).toBeGreaterThan(20);
    expect(listed.sort()).toEqual(licensedPackages());
  });

  it('is valid CycloneDX: each component has a package URL of its own and a license', () => {
    expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
    const root = `pkg:npm/${manifest.name}@${manifest.version}`;
    expect(sbom.metadata.component).toMatchObject({ type: 'library', purl: root, 'bom-ref': root });
    for (const { type, group, name, version, purl, licenses, 'bom-ref': ref } of sbom.components) {
      const scope = group === undefined ? '' : `${group.replace('@', '%40')}/`;
      expect([type, ref, purl]).toEqual(['library', purl, `pkg:npm/${scope}${name}@${version}`]);
      expect(licenses).toEqual([{ expression: expect.stringMatching(/^[\w.()+ -]+$/) }]);
    }
    const refs = sbom.components.map(({ purl }: { readonly purl: string }) => purl);
    expect(new Set(refs).size).toBe(refs.length);
    expect(sbom.dependencies).toEqual([{ ref: root, dependsOn: refs }]);
  });

  it('is in the package', () => {
    const pack = ['pack', '--dry-run', '--ignore-scripts', '--json'];
    const [{ files }] = JSON.parse(execFileSync('npm', pack, { cwd: ROOT, encoding: 'utf8' }));
    expect(files.map(({ path }: { readonly path: string }) => path)).toContain('dist/sbom.cdx.json');
  });
});
