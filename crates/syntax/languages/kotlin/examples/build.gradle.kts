import org.example.build.Deploy

plugins {
    kotlin("jvm") version "2.0.0"
}

// Everything that is shipped.
dependencies {
    implementation(project(":wire"))
    testImplementation(libs.kotest)
}

val version = "1.4"

tasks.register<Deploy>("deploy") {
    group = "release"
    target.set(layout.buildDirectory.dir("site"))
}
