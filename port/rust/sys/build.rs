// SPDX-FileCopyrightText: the microtet authors
// SPDX-License-Identifier: Apache-2.0
//! Compiles the C sources of the package tet and of those that it stands on: those of the tree that this crate lies in, or the copy of
//! them that the packed crate has.
use std::path::{Path, PathBuf};

/// The package tet and those that it stands on (src/packages.mk).
const PACKAGES: [&str; 3] = ["base", "zstd", "tet"];

/// The C sources in a folder and in the folders below it.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a folder that can be read").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "c") && !path.ends_with("zstd_upstream.c") {
            found.push(path);
        }
    }
}

fn main() {
    let here = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo tells the folder"));
    let packed = here.join("c");
    let root = if packed.exists() { packed } else { here.join("../../..") };
    let mut files = Vec::new();
    for package in PACKAGES {
        sources(&root.join("src").join(package), &mut files);
    }
    files.sort();
    // A few loops pay for speed where the rest is small; the linker drops what is not called.
    let (hot, small): (Vec<_>, Vec<_>) = files.into_iter().partition(|path| path.to_string_lossy().ends_with("_hot.c"));
    let optimised = std::env::var("OPT_LEVEL").is_ok_and(|level| level != "0");
    for (name, level, files) in [("utet_hot", "2", hot), ("utet", "s", small)] {
        let mut build = cc::Build::new();
        build.files(files).include(root.join("include")).std("c99").warnings(false);
        build.flag_if_supported("-ffunction-sections").flag_if_supported("-fdata-sections");
        if std::env::var("TARGET").is_ok_and(|target| target.starts_with("thumbv6m")) {
            build.flag("-fno-jump-tables"); // GCC jumps through libgcc there, which programs of Rust do not link
        }
        if name == "utet" {
            build.file(here.join("layout.c"));
        }
        if optimised {
            build.opt_level_str(level);
        }
        build.compile(name);
    }
    for folder in ["src", "include"] {
        println!("cargo:rerun-if-changed={}", root.join(folder).display());
    }
    println!("cargo:rerun-if-changed={}", here.join("layout.c").display());
}
