<#
.SYNOPSIS
Copies folders to a share and keeps some days of them.
#>
using module ./Schedule.psm1
using namespace System.IO

Import-Module Logging
Import-Module "$PSScriptRoot/Share.psm1"
. "$PSScriptRoot/helpers.ps1"

# How many days are kept.
$script:KeepDays = 14
[int]$MaxSize = 2GB
$Excluded = @(
    '*.tmp'
    '*.bak'
)

data Messages {
    ConvertFrom-StringData 'full=The share is full'
}

enum BackupState {
    Waiting
    Running
    Done = 10
}

# One copy of one folder.
class Backup : Job {
    [string]$Path
    hidden [List[FileInfo]]$Files

    Backup([string]$path) {
        $this.Path = $path
    }

    # Copies what changed since a day.
    [int] Run([datetime]$since) {
        $copied = 0
        foreach ($file in $this.Files) {
            if ($file.LastWriteTime -gt $since) {
                $this.CopyFile($file)
                $copied++
            }
        }
        return $copied
    }

    static [Backup] Open([string]$path) {
        return [Backup]::new([Path]::GetFullPath($path))
    }
}

function Start-Backup {
    <#
    .SYNOPSIS
    Backs a folder up.
    #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)] [string]$Path
    )
    process {
        $backup = [Backup]::Open($Path)
        $backup.Run((Get-Date).AddDays(-1)) | Write-LogLine
    }
}

# Drops what is too old.
function script:Remove-Old($Path, [int]$Days = $script:KeepDays) {
    Get-ChildItem $Path | Select-Old -Days $Days | Remove-Item
    & Update-Index -Path $Path
}

filter Select-Old([int]$Days) {
    if ($_.LastWriteTime -lt (Get-Date).AddDays(-$Days)) { $_ }
}

Export-ModuleMember -Function Start-Backup
